import type { WireRequest } from '@atrium/contract/requests/calls.ts'
import { isFinalRequest, type RequestState, requestMoves } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Member, Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { holdMember, lockOwnMember } from '../foundation/database/member-lock.ts'
import { assertState, refuse, refuseNotFound } from '../foundation/errors.ts'
import { type RequestRow, recordRequestEvent } from './event.ts'

/** Locks the row, which serializes concurrent assignments, decisions and cancellations. */
export async function lockRequest(tx: Tx, actor: Member | Staff, requestId: string): Promise<RequestRow> {
  if (actor.kind === 'member') await lockOwnMember(tx, actor)
  const found = tx
    .selectFrom('requests')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('request_id', '=', requestId)
    .forUpdate()
  const row = await (actor.kind === 'member' ? found.where('member_id', '=', actor.memberId) : found).executeTakeFirst()
  return row ?? refuseNotFound()
}

/** Also locks the member, for texts to the member, which would otherwise survive a concurrent erasure. */
export async function lockRequestForWords(tx: Tx, staff: Staff, requestId: string): Promise<RequestRow> {
  const row = await tx
    .selectFrom('requests')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  // The member first, in the lock order of an erasure.
  await holdMember(tx, staff, row?.member_id ?? refuseNotFound())
  return lockRequest(tx, staff, requestId)
}

export const stateOf = (row: RequestRow): RequestState => row.status as RequestState

type Holder = { assigned_staff_id: string | null; assigned_staff_name: string | null }
type Move = { to: RequestState; comment?: string | undefined; holder?: Holder }

/** The only place that sets a request's status: along the table of moves, with its event and audit entry. */
export async function moveRequest(tx: Tx, actor: Member | Staff, row: RequestRow, move: Move): Promise<RequestRow> {
  const { to, comment, holder } = move
  const from = stateOf(row)
  if (!requestMoves[actor.kind][from].includes(to)) refuseMove(actor, from)
  const changes = {
    ...holder,
    status: to,
    status_since: actor.context.clock.now(),
    ...(comment !== undefined && { comment }),
  }
  await updateRequest(tx, actor, row, changes)
  const moved = { ...row, ...changes }
  await recordRequestEvent(tx, actor, row, { kind: 'moved', from, to, comment: comment ?? null })
  await audit(tx, actor, {
    action: to === 'canceled' ? 'request.cancelled' : 'request.moved',
    subject: { kind: 'request', id: row.request_id },
    memberId: row.member_id,
    before: { status: from, assigned: row.assigned_staff_name },
    after: { status: to, assigned: moved.assigned_staff_name },
  })
  return moved
}

export function refuseMove({ kind }: Member | Staff, from: RequestState): never {
  const said = requestTexts.alreadyOver.replace('{{status}}', from)
  if (kind === 'member') refuse('illegal_move', said, { errors: { new_status: [said] } })
  refuse('illegal_move', isFinalRequest(from) ? deskTexts.requestDecided : deskTexts.requestMoved)
}

export async function updateRequest(
  tx: Tx,
  actor: Member | Staff,
  row: RequestRow,
  changes: Partial<Omit<RequestRow, 'workspace_id' | 'request_id' | 'number'>>,
): Promise<void> {
  const changed = await tx
    .updateTable('requests')
    .set(changes)
    .where('workspace_id', '=', actor.workspaceId)
    .where('request_id', '=', row.request_id)
    .executeTakeFirst()
  assertState(changed.numUpdatedRows === 1n, 'a locked request did not change')
}

export const wireRequest = (row: RequestRow): WireRequest => ({
  _id: row.request_id,
  number: String(row.number),
  status: stateOf(row),
})
