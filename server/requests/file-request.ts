import type { Answers } from '@atrium/contract/forms/answers.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { DetailChange } from '@atrium/contract/members/details.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { readRequestedDetails } from './detail-change.ts'
import type { RequestRow } from './event.ts'
import { recordRequestEvent } from './event.ts'

export type OfferedType = NonNullable<Awaited<ReturnType<typeof findOfferedType>>>

function selectOffered(tx: Tx, member: Member) {
  return tx
    .selectFrom('request_types')
    .select(['request_type_id', 'name', 'description', 'form_id', 'changes'])
    .where('workspace_id', '=', member.workspaceId)
    .where('show_in_portal', '=', true)
    .where('archived_at', 'is', null)
    .where('predefined_type', 'is', null)
}

/** A type that members may request here; one that opens a portal page is requested there. */
export async function findOfferedType(tx: Tx, member: Member, id: string) {
  return (await selectOffered(tx, member).where('request_type_id', '=', id).executeTakeFirst()) ?? null
}

/** The first type that offers the form. */
export async function findTypeOfForm(tx: Tx, member: Member, formId: string): Promise<OfferedType | null> {
  const found = selectOffered(tx, member).where('form_id', '=', formId)
  return (await found.orderBy('position').orderBy('request_type_id').limit(1).executeTakeFirst()) ?? null
}

/**
 * Creates a request from its type, with low priority and unassigned, ignoring the client's values. It records the
 * version of the form.
 */
export async function fileRequest(
  tx: Tx,
  member: Member,
  type: OfferedType,
  filled: { formId: string; version: number; accepted: Answers } | null,
): Promise<RequestRow> {
  await refuseTooMany(tx, member)
  const changes = type.changes as DetailChange | null
  const wanted = changes && filled ? await readRequestedDetails(tx, member, changes, filled.accepted) : null
  // The change hands the account to another mailbox or name, and staff may take the request for the owner's.
  if (wanted) await requireProof(tx, member)
  const now = member.context.clock.now()
  const number = await nextNumber(tx, member, 'request')
  const row = await tx
    .insertInto('requests')
    .values({
      workspace_id: member.workspaceId,
      request_id: newId(),
      number,
      member_id: member.memberId,
      request_type_id: type.request_type_id,
      subject: type.name,
      description: type.description,
      form_id: filled?.formId ?? null,
      form_version: filled?.version ?? null,
      wanted_change: wanted && JSON.stringify(wanted),
      status_since: now,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordRequestEvent(tx, member, row, { kind: 'sent', to: 'not-assigned' })
  await audit(tx, member, {
    action: 'request.sent',
    subject: { kind: 'request', id: row.request_id },
    after: { number, type: type.request_type_id },
  })
  return row
}

async function refuseTooMany(tx: Tx, member: Member): Promise<void> {
  const { count } = await tx
    .selectFrom('requests')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('status', 'in', ['not-assigned', 'open', 'in-progress'])
    .executeTakeFirstOrThrow()
  if (count >= limits.requestsWaitingMax) refuse('conflict', requestTexts.tooMany)
}
