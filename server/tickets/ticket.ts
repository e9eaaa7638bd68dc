import type { WireTicket } from '@atrium/contract/tickets/calls.ts'
import { type TicketState, ticketMoves } from '@atrium/contract/tickets/states.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Selectable } from 'kysely'
import type { Actor, Member, Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tickets } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { holdMember, lockOwnMember } from '../foundation/database/member-lock.ts'
import { assertState, refuse, refuseNotFound } from '../foundation/errors.ts'

export type TicketRow = Selectable<Tickets>

/** Locks the row, which serializes concurrent messages, assignments and merges. */
export async function lockTicket(tx: Tx, actor: Actor, ticketId: string): Promise<TicketRow> {
  if (actor.kind === 'member') await lockOwnMember(tx, actor)
  const found = tx
    .selectFrom('tickets')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('ticket_id', '=', ticketId)
    .forUpdate()
  const row = await (actor.kind === 'member' ? found.where('member_id', '=', actor.memberId) : found).executeTakeFirst()
  return row ?? refuseNotFound()
}

/** Also locks the member, for texts to or about the member, which would otherwise survive a concurrent erasure. */
export async function lockTicketForWords(tx: Tx, staff: Staff, ticketId: string): Promise<TicketRow> {
  const row = await tx
    .selectFrom('tickets')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst()
  // The member first, in the lock order of an erasure.
  await holdMember(tx, staff, row?.member_id ?? refuseNotFound())
  return lockTicket(tx, staff, ticketId)
}

/** A merged ticket continues in another one and accepts no more changes. */
export async function refuseClosed(tx: Tx, actor: Actor, { state, merged_into }: TicketRow): Promise<void> {
  if (state !== 'closed') return
  const other = await tx
    .selectFrom('tickets')
    .select('number')
    .where('workspace_id', '=', actor.workspaceId)
    .where('ticket_id', '=', merged_into)
    .executeTakeFirst()
  refuse('illegal_move', ticketTexts.goesOn.replace('{{ticket}}', String(other?.number ?? '')))
}

export type TicketEvent =
  | 'ticket.taken'
  | 'ticket.marked-in-progress'
  | 'ticket.handed-over'
  | 'ticket.let-go'
  | 'ticket.resolved'
  | 'ticket.reopened'
  | 'ticket.merged'

type Set = Partial<
  Pick<TicketRow, 'messages' | 'last_of_staff' | 'last_of_member' | 'first_answered_at' | 'merged_into' | 'priority'>
>
type Holder = { taken_by: string; taken_by_name: string } | null
type Move = { to: TicketState; event: TicketEvent; holder?: Holder; set?: Set }

export const holderOf = ({ staffId, name }: Pick<Staff, 'staffId' | 'name'>): Holder => ({
  taken_by: staffId,
  taken_by_name: name,
})

/** The only place that sets a ticket's state: along the table of moves, with an audit entry. */
export async function moveTicket(tx: Tx, actor: Member | Staff, row: TicketRow, move: Move): Promise<TicketRow> {
  const { to, event, set } = move
  const from = row.state as TicketState
  const isReassigned = from === 'taken' && to === 'taken'
  if (!isReassigned && !ticketMoves[actor.kind][from].includes(to)) refuse('illegal_move', ticketTexts.notUpdated)
  const now = actor.context.clock.now()
  const holder = move.holder ?? (to === 'open' ? { taken_by: null, taken_by_name: null } : {})
  const changes = {
    ...holder,
    ...set,
    state: to,
    ...(!isReassigned && { state_since: now }),
    ...(to === 'resolved' && { resolved_at: now }),
  }
  await updateTicket(tx, actor, row, changes)
  await audit(tx, actor, {
    action: event,
    subject: { kind: 'ticket', id: row.ticket_id },
    memberId: row.member_id,
    before: { state: from, taken_by: row.taken_by_name },
    after: { state: to, taken_by: changes.taken_by_name ?? (to === 'open' ? null : row.taken_by_name) },
  })
  return { ...row, ...changes }
}

export async function updateTicket(
  tx: Tx,
  actor: Actor,
  row: TicketRow,
  changes: Partial<Omit<TicketRow, 'workspace_id' | 'ticket_id' | 'number'>>,
): Promise<void> {
  const changed = await tx
    .updateTable('tickets')
    .set(changes)
    .where('workspace_id', '=', actor.workspaceId)
    .where('ticket_id', '=', row.ticket_id)
    .executeTakeFirst()
  assertState(changed.numUpdatedRows === 1n, 'a locked ticket did not change')
}

export const wireTicket = (row: TicketRow): WireTicket => ({
  _id: row.ticket_id,
  ticket: String(row.number),
  status: row.state as TicketState,
  priority: row.priority as WireTicket['priority'],
})
