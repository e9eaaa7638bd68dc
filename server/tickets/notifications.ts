import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { notify } from '../notifications/notify.ts'
import type { TicketRow } from './ticket.ts'

const answered = {
  kind: 'ticket.answered',
  title: 'Ticket {{ticket}} was answered',
  body: '{{name}} answered "{{subject}}". Read the answer and reply in the portal.',
} as const
const resolved = {
  kind: 'ticket.closed',
  title: 'Ticket {{ticket}} was closed',
  body: '{{name}} closed "{{subject}}". To reopen it, write in it again.',
} as const
const reopened = {
  kind: 'ticket.reopened',
  title: 'Ticket {{ticket}} was reopened',
  body: '{{name}} reopened "{{subject}}".',
} as const
const merged = {
  kind: 'ticket.merged',
  title: 'Ticket {{ticket}} continues in ticket {{other}}',
  body: '{{name}} merged "{{subject}}" into another ticket of yours. Please write there.',
} as const
const news = { answered, resolved, reopened, merged }

/**
 * Notifies a member of what staff did with a ticket, without the message: a mail is less protected than the portal.
 * `key` identifies the event.
 */
export function notifyMember(
  tx: Tx,
  staff: Staff,
  ticket: TicketRow,
  what: keyof typeof news,
  { key, other }: { key: string; other?: TicketRow },
): Promise<void> {
  const details = {
    ticket: String(ticket.number),
    subject: ticket.subject,
    name: staff.name,
    ...(other && { other: String(other.number) }),
  }
  return notify(tx, staff, {
    ...news[what],
    memberId: ticket.member_id,
    dedupeKey: `ticket-${what}-${key}`,
    details,
    target: { kind: 'ticket', id: other?.ticket_id ?? ticket.ticket_id },
  })
}
