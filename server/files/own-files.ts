import { type UploadPurpose, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { isOffered, sizeSentence } from './offered.ts'
import { isUnattached } from './queries.ts'

/** Nobody could ever open a file that was found infected, so it cannot be attached. */
const isFree = sql<boolean>`${isUnattached} and media.scan <> 'infected'`

/** A member's own upload. `sizeBytes` is the size as uploaded, not that of a re-encoded picture. */
export type OwnFile = { id: string; name: string; extension: string; kind: string; sizeBytes: number; isFree: boolean }

/**
 * The member's own uploads with these ids, of any purpose: a client need not send one, and each use checks its own rules. Locks
 * before it reads: only a new statement sees what the transaction that held the lock attached.
 */
export async function lockOwnFiles(tx: Tx, member: Member, ids: readonly string[]): Promise<OwnFile[]> {
  if (ids.length === 0) return []
  const own = tx
    .selectFrom('media')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('media_id', 'in', [...new Set(ids)])
    .orderBy('media_id') // A fixed order, so that two transactions with common files cannot deadlock.
  const locked = await own.select('media_id').forUpdate().execute()
  if (locked.length === 0) return []
  const rows = await own
    .select(['media_id as id', 'name', 'extension', 'kind', isFree.as('isFree')])
    .select(sql<string>`coalesce(sent_bytes, size_bytes)`.as('size'))
    .execute()
  return rows.map(({ size, ...file }) => ({ ...file, sizeBytes: Number(size) }))
}

/** Why a file cannot be used for this purpose, by the rules of an upload for it, or null. */
export function validateUse({ extension, sizeBytes }: OwnFile, purpose: UploadPurpose): string | null {
  const { extensions, sizeBytesMax } = uploadPurposes[purpose]
  if (!isOffered(purpose, extension)) return fileTexts.fileTypes.replace('{{types}}', extensions.join(', '))
  return sizeBytes > sizeBytesMax ? sizeSentence(sizeBytesMax) : null
}
