import { createHash } from 'node:crypto'
import type { TermsText } from '@atrium/contract/desk-terms.ts'
import type { Staff, System } from '../foundation/actor.ts'
import type { Media, Requests, RequestTypes, Uploads } from '../foundation/database.generated.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { createTerms, publishTerms } from '../terms/template.ts'
import { type Made, nextCount, type Owned } from './made.ts'

/** An uploaded file that nothing is attached to yet, its bytes in the store. */
export async function addMedia(system: System, values: Owned<Media> & { content?: Buffer }): Promise<string> {
  const { memberId, content = Buffer.from('%PDF-1.4\n%%EOF\n'), ...given } = values
  const media_id = given.media_id ?? newId()
  const storage_key = `${system.workspaceId}/${media_id}`
  await system.ground.files.write(storage_key, content)
  await inTransaction(system, (tx) =>
    tx
      .insertInto('media')
      .values({
        purpose: 'receipt',
        kind: 'file',
        name: 'receipt.pdf',
        extension: 'pdf',
        content_type: 'application/pdf',
        size_bytes: content.length,
        sha256: createHash('sha256').update(content).digest(),
        storage_key,
        created_at: system.ground.clock.now(),
        ...given,
        media_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return media_id
}

/** An upload in parts, all of whose bytes have come in one part. */
export async function addUpload(system: System, values: Owned<Uploads> & { content?: Buffer }): Promise<string> {
  const { memberId, content = Buffer.from('%PDF-1.4\n%%EOF\n'), ...given } = values
  const upload_id = given.upload_id ?? newId()
  const key = `${system.workspaceId}/parts/${upload_id}/first`
  await system.ground.files.write(key, content)
  const now = system.ground.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('uploads')
      .values({
        purpose: 'receipt',
        name: 'receipt.pdf',
        size_bytes: content.length,
        received_bytes: content.length,
        part_keys: [key],
        created_at: now,
        touched_at: now,
        ...given,
        upload_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return upload_id
}

export async function addRequestType(system: System, values: Made<RequestTypes> = {}): Promise<string> {
  const request_type_id = values.request_type_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('request_types')
      .values({
        name: 'Change of address',
        created_at: system.ground.clock.now(),
        ...values,
        request_type_id,
        workspace_id: system.workspaceId,
      })
      .execute(),
  )
  return request_type_id
}

/** Far above those that are given out, which begin at a thousand. */
const firstNumberByHand = 900_000

type RequestValues = Owned<Omit<Requests, 'request_type_id' | 'number' | 'status_since'>> & { number?: number } & {
  requestTypeId: string
}

export async function addRequest(system: System, values: RequestValues): Promise<string> {
  const { memberId, requestTypeId, ...given } = values
  const request_id = given.request_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('requests')
      .values({
        number: firstNumberByHand + nextCount(),
        subject: 'Change of address',
        status_since: given.created_at ?? system.ground.clock.now(),
        created_at: system.ground.clock.now(),
        ...given,
        request_id,
        request_type_id: requestTypeId,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return request_id
}

type TermsValues = Partial<TermsText> & { isDraft?: boolean }

/** Published terms, or a draft of some. */
export async function addTerms(staff: Staff, { isDraft = false, ...text }: TermsValues = {}): Promise<string> {
  const id = await createTerms(staff, {
    name: `Client agreement ${nextCount()}`,
    tickbox_text: 'I have read and accept the client agreement.',
    template: '<h2>Client agreement</h2><p>You trade at your own risk.</p>',
    blocked_portal_sections: ['deposit'],
    ...text,
  })
  if (!isDraft) await publishTerms(staff, { id, revision: 1, asks_again: true })
  return id
}
