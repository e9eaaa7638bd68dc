import { createHash } from 'node:crypto'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database.ts'
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

/** Tickets in every tab with their conversations, oldest first, and what the desk answers often. */
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
  for (const placed of tickets) await addConversation(tx, system, placed)
  const created_at = system.ground.clock.now()
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

async function addConversation(tx: Tx, system: System, { ticket, key, filed, staffId }: Placed): Promise<void> {
  const last = { staff: 0, member: 0 }
  const messages = []
  for (const [index, said] of ticket.conversation.entries()) {
    const at = new Date(filed + said.hoursAfter * hourMs)
    last[said.by] = index + 1
    messages.push({
      ...{ ...key, message_id: newId(), position: index + 1 },
      type: said.file ? 'attachment' : 'message',
      content: said.content ?? null,
      media_id: said.file ? await addFile(tx, system, key.member_id, at) : null,
      ...(said.by === 'staff' && { staff_id: staffId, staff_name: staffName }),
      created_at: at,
    })
  }
  if (messages.length > 0) await tx.insertInto('ticket_messages').values(messages).execute()
  const first = ticket.conversation.find(({ by }) => by === 'staff')
  const end = ticket.conversation.at(-1)
  const ended = new Date(filed + ((end?.hoursAfter ?? 0) + 1) * hourMs)
  await tx
    .updateTable('tickets')
    .set({
      messages: ticket.conversation.length,
      last_of_staff: last.staff,
      last_of_member: last.member,
      read_by_member: ticket.isUnread ? last.member : ticket.conversation.length,
      priority: ticket.priority ?? 'low',
      first_answered_at: first ? new Date(filed + first.hoursAfter * hourMs) : null,
      state: ticket.state,
      ...(ticket.state !== 'open' && { taken_by: staffId, taken_by_name: staffName, state_since: ended }),
      ...(ticket.state === 'resolved' && { resolved_at: ended }),
    })
    .where('workspace_id', '=', key.workspace_id)
    .where('ticket_id', '=', key.ticket_id)
    .execute()
  if (!ticket.note) return
  await tx
    .insertInto('ticket_notes')
    .values({
      ...{ ...key, note_id: newId(), content: ticket.note, staff_id: staffId, staff_name: staffName },
      created_at: ended,
    })
    .execute()
}

/** Written before its row, as an upload's is. */
async function addFile(tx: Tx, system: System, memberId: string, created_at: Date): Promise<string> {
  const media_id = newId()
  const content = makeReceipt(['Members Bank', 'Transfer of 500.00', 'To: Harbour Markets'])
  const storage_key = `${system.workspaceId}/${media_id}`
  await system.ground.files.write(storage_key, content)
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
