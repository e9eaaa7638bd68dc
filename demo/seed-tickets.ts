import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { type History, othersIn } from './history.ts'
import { makeReceipt } from './receipt.ts'
import { type DemoTicket, demoCannedReplies, demoTickets, moreTickets } from './tickets.ts'

type People = { member: string; staff: string } & Record<string, string>
type Given = { ids: People; accountIds: Map<string, string>; history: History; now: number }

const staffName = 'Nora Vella'
const firstNumber = 1001
const dayMs = 86_400_000
const hourMs = 3_600_000

/** Tickets in every tab with their conversations, oldest first, and the desk's canned replies. */
export async function addTickets(tx: Tx, system: System, given: Given): Promise<void> {
  const { ids, now, history } = given
  const workspace_id = system.workspaceId
  const tickets = [...demoTickets, ...(history.isLong ? moreTickets(othersIn(history)) : [])]
    .toSorted((left, right) => right.daysAgo - left.daysAgo)
    .map((ticket, index): Placed => {
      const member_id = ids[ticket.owner ?? 'member'] ?? ''
      const key = { workspace_id, ticket_id: newId(), member_id }
      return {
        ticket,
        key,
        number: String(firstNumber + index),
        filed: now - ticket.daysAgo * dayMs,
        staffId: ids.staff,
      }
    })
  await tx
    .insertInto('counters')
    .values({ workspace_id, name: 'ticket', value: firstNumber - 1 + tickets.length })
    .execute()
  const rows = []
  for (const { ticket, key, number, filed } of tickets) {
    const { subject, description } = ticket
    const at = new Date(filed)
    const about = await aboutOf(tx, system, given, ticket)
    rows.push({ ...key, number, type: 'profile', subject, description, ...about, created_at: at, state_since: at })
  }
  await tx.insertInto('tickets').values(rows).execute()
  await addConversations(tx, system, tickets)
  const created_at = system.context.clock.now()
  await tx
    .insertInto('canned_replies')
    .values(demoCannedReplies.map((reply) => ({ workspace_id, reply_id: newId(), ...reply, created_at })))
    .execute()
}

async function aboutOf(tx: Tx, system: System, { ids, accountIds }: Given, { about }: DemoTicket) {
  if (!about) return {}
  if ('account' in about) return { account_id: accountIds.get(about.account) ?? null }
  if ('download' in about) {
    const row = await tx
      .selectFrom('platform_downloads')
      .select('download_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('system', '=', 'windows')
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    return { download_id: row?.download_id ?? null }
  }
  const row = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', ids.member)
    .where('state', '=', 'pending')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { transaction_id: row?.transaction_id ?? null }
}

type Placed = {
  ticket: DemoTicket
  key: { workspace_id: string; ticket_id: string; member_id: string }
  number: string
  filed: number
  staffId: string
}

/** Adds the messages of all tickets, and the state that follows from them. */
async function addConversations(tx: Tx, system: System, tickets: readonly Placed[]): Promise<void> {
  const messages = []
  for (const { ticket, key, filed, staffId } of tickets)
    for (const [index, said] of ticket.conversation.entries()) {
      const at = new Date(filed + said.hoursAfter * hourMs)
      messages.push({
        ...{ ...key, message_id: newId(), position: index + 1 },
        type: said.file ? 'attachment' : 'message',
        content: said.content ?? null,
        media_id: said.file ? await addFile(tx, system, key.member_id, at) : null,
        staff_id: said.by === 'staff' ? staffId : null,
        staff_name: said.by === 'staff' ? staffName : null,
        created_at: at,
      })
    }
  await tx.insertInto('ticket_messages').values(messages).execute()
  await sql`
    update tickets set messages = now.messages, last_of_staff = now.last_of_staff, last_of_member = now.last_of_member,
      read_by_member = now.read_by_member, priority = now.priority, first_answered_at = now.first_answered_at, state = now.state,
      taken_by = now.taken_by, taken_by_name = now.taken_by_name, state_since = now.state_since, resolved_at = now.resolved_at
    from jsonb_to_recordset(${JSON.stringify(tickets.map(statusOf))}::jsonb) as now (ticket_id uuid, messages int, last_of_staff int,
      last_of_member int, read_by_member int, priority text, first_answered_at timestamptz, state text, taken_by uuid,
      taken_by_name text, state_since timestamptz, resolved_at timestamptz)
    where tickets.workspace_id = ${system.workspaceId} and tickets.ticket_id = now.ticket_id`.execute(tx)
  const notes = tickets.flatMap(({ ticket, key, filed, staffId }) => {
    const written = { note_id: newId(), staff_id: staffId, staff_name: staffName, created_at: endOf({ ticket, filed }) }
    return ticket.note ? [{ ...key, ...written, content: ticket.note }] : []
  })
  await tx.insertInto('ticket_notes').values(notes).execute()
}

const endOf = ({ ticket, filed }: Pick<Placed, 'ticket' | 'filed'>): Date =>
  new Date(filed + ((ticket.conversation.at(-1)?.hoursAfter ?? 0) + 1) * hourMs)

function statusOf({ ticket, key, filed, staffId }: Placed) {
  const { conversation, state } = ticket
  const lastOf = (who: string): number => conversation.findLastIndex(({ by }) => by === who) + 1
  const first = conversation.find(({ by }) => by === 'staff')
  return {
    ...{ ticket_id: key.ticket_id, messages: conversation.length, priority: ticket.priority ?? 'low', state },
    ...{ last_of_staff: lastOf('staff'), last_of_member: lastOf('member') },
    read_by_member: ticket.isUnread ? lastOf('member') : conversation.length,
    first_answered_at: first ? new Date(filed + first.hoursAfter * hourMs) : null,
    taken_by: state === 'open' ? null : staffId,
    taken_by_name: state === 'open' ? null : staffName,
    state_since: state === 'open' ? new Date(filed) : endOf({ ticket, filed }),
    resolved_at: state === 'resolved' ? endOf({ ticket, filed }) : null,
  }
}

/** The file is written before its row, like an upload. */
async function addFile(tx: Tx, system: System, memberId: string, created_at: Date): Promise<string> {
  const media_id = newId()
  const content = makeReceipt(['Members Bank', 'Transfer of 500.00', 'To: Harbour Markets'])
  const storage_key = `${system.workspaceId}/${media_id}`
  await system.context.files.write(storage_key, content)
  await tx
    .insertInto('media')
    .values({
      ...{ workspace_id: system.workspaceId, media_id, member_id: memberId, purpose: 'ticket', kind: 'file' },
      ...{ name: 'transfer.pdf', extension: 'pdf', content_type: 'application/pdf', size_bytes: content.length },
      ...{ sha256: createHash('sha256').update(content).digest(), storage_key, created_at },
    })
    .execute()
  return media_id
}
