// spec: AO 2.9, AO 4, AO 6, AO 7, AO 9
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ticketMoves, ticketStates } from '@atrium/contract/tickets/states.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openTicketFixture, type TicketFixture } from '../../tests/fixtures/ticket-fixture.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import { openTestSession } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { assignTicket, changeDeskTicket, noteOnTicket, replyToTicket } from './desk-answers.ts'
import { mergeTicket } from './merge.ts'

let fixture: TicketFixture
let made: TicketFixture['made']
let system: TicketFixture['system']
let caller: TicketFixture['caller']
let staff: TicketFixture['staff']
let enter: TicketFixture['enter']
let writeMessage: TicketFixture['writeMessage']
let update: TicketFixture['update']
let ask: TicketFixture['ask']
let see: TicketFixture['see']

before(async () => {
  fixture = await openTicketFixture()
  ;({ made, system, caller, staff, enter, writeMessage, update, ask, see } = fixture)
})
after(() => fixture.close())

describe('ticket lists of a member', () => {
  const lists = `open: tickets(status: "open", withCount: true) { _id }
    in_progress: tickets(status: "taken", withCount: true) { _id }
    closed: tickets(status: "resolved", withCount: true, limit: 1) { _id }`

  it('come in one request with counts, most recent change first', async () => {
    const person = await enter()
    const ids = [] as string[]
    for (let count = 0; count < 5; count += 1) {
      ids.push(await addTicket(person.member))
      made.context.clock.advance(1_000)
    }
    const [first, second, third, fourth, fifth] = ids as [string, string, string, string, string]
    await assignTicket(staff, third, { from: null, to: staff.staffId })
    await update(person, { _id: second, status: 'resolved' })
    made.context.clock.advance(1_000)
    await update(person, { _id: first, status: 'resolved' })
    const { data, extra } = await ask(person, `{ ${lists} }`)
    const idsOf = (name: string) => data[name]?.map(({ _id }) => _id)
    assert.deepEqual(idsOf('open'), [fifth, fourth])
    assert.deepEqual(idsOf('in_progress'), [third])
    assert.deepEqual(idsOf('closed'), [first])
    assert.deepEqual(extra, { countOpen: 2, countInprogress: 1, countClosed: 2 })
  })

  it('are found in every spelling of letters that were written apart from their marks', async () => {
    const person = await enter()
    // As the Vietnamese keyboard of Windows writes it: the vowel composed, the tone apart.
    const subject = 'Ti\u00ea\u0301ng Vie\u0323\u0302t'
    const id = await addTicket(person.member, { subject, description: 'Cafe\u0301 100%' })
    const token = (await openTestSession(system, { kind: 'staff', id: staff.staffId })).token
    for (const q of ['tiếng', 'Tiếng Việt', 'Việt'.normalize('NFD'), subject]) {
      const asked = `{ tickets(q: ${JSON.stringify(q)}, withCount: true) { _id subject } }`
      assert.deepEqual((await ask(person, asked)).data.tickets, [{ _id: id, subject }], q)
      const { body } = await caller.get(`/desk/api/tickets?q=${encodeURIComponent(q)}`, token)
      assert.deepEqual(
        (body.tickets as { _id: string }[]).map(({ _id }) => _id),
        [id],
        `desk: ${q}`,
      )
    }
    const { data } = await ask(person, '{ tickets(q: "café 100%") { _id } }')
    assert.deepEqual(
      data.tickets?.map(({ _id }) => _id),
      [id],
    )
  })

  it('are searched by number and text, and paged', async () => {
    const person = await enter()
    const id = await addTicket(person.member, { subject: 'Zürich 100% late', description: 'The card_terminal' })
    await addTicket(person.member, { subject: 'Something else' })
    const { ticket } = await see(person, id)
    const found = async (args: string) => {
      const { data, extra } = await ask(person, `{ tickets(${args}, withCount: true) { _id } }`)
      return [data.tickets?.map(({ _id }) => _id), extra.countTickets]
    }
    for (const q of [ticket, `#${ticket}`, 'zürich', 'zu\u0308rich\u00a0100', '100%', 'card_t', '  late '])
      assert.deepEqual(await found(`q: ${JSON.stringify(q)}`), [[id], 1], q)
    for (const q of ['1%0', "' or 1=1 --", 'cardXt', '999999999999999'])
      assert.deepEqual(await found(`q: "${q}"`), [[], 0])
    assert.equal(((await found('limit: 1, page: 2'))[0] as string[]).length, 1)
    assert.deepEqual(await found('status: "none"'), [[], 0])
    for (const q of [ticket, 'zürich', 'zu\u0308rich', 'card_t']) {
      const { groups } = (await caller.get(`/members/search?q=${encodeURIComponent(q)}`, person.token)).body
      const hits = [{ _id: id, title: `#${ticket} Zürich 100% late`, facts: ['Open'] }]
      assert.deepEqual(groups, [{ name: 'tickets', hits }], q)
    }
  })

  it('have ten tickets a page by default', async () => {
    const person = await enter()
    for (let count = 0; count <= 10; count += 1) await addTicket(person.member)
    const { data, extra } = await ask(
      person,
      '{ first: tickets(withCount: true) { _id } second: tickets(page: 2) { _id } }',
    )
    assert.deepEqual([data.first?.length, data.second?.length, extra.countFirst], [10, 1, 11])
  })

  it('are empty for another customer', async () => {
    const [person, other] = [await enter(), await enter()]
    await addTicket(other.member)
    await addTicket(person.member)
    const named = async (id: string) =>
      (await ask(person, `{ tickets(customer: "${id}") { _id } }`)).data.tickets?.length
    assert.equal(await named(other.member.memberId), 0)
    assert.equal(await named(person.member.memberId), 1)
  })

  it('report the last message, ignoring staff notes', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const lastReply = async () => (await ask(person, '{ tickets { last_reply_at } }')).data.tickets?.[0]?.last_reply_at
    assert.equal(await lastReply(), null)
    await writeMessage(person, id, 'Hello')
    made.context.clock.advance(60_000)
    const at = made.context.clock.now().getTime()
    await replyToTicket(staff, { id, content: 'Good morning', resolves: false })
    assert.equal(await lastReply(), at)
    made.context.clock.advance(60_000)
    await noteOnTicket(staff, id, 'An internal note')
    assert.equal(await lastReply(), at)
  })

  it('mark unread answers until they are read', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    await writeMessage(person, id, 'Hello')
    assert.equal((await see(person, id)).is_unread, false)
    await replyToTicket(staff, { id, content: 'Good morning', resolves: false })
    assert.equal((await see(person, id)).is_unread, true)
    assert.equal((await caller.post('/tickets/cp-read', { _id: id }, person.token)).status, 200)
    assert.equal((await see(person, id)).is_unread, false)
    await noteOnTicket(staff, id, 'An internal note')
    assert.equal((await see(person, id)).is_unread, false)
  })
})

describe('database rules of tickets', () => {
  it('allow only the table of moves, for members and staff', async () => {
    for (const kind of ['member', 'staff'] as const)
      for (const from of ticketStates) {
        const { member } = await enter()
        for (const to of ticketStates) {
          if (from === to) continue
          const id = await addTicket(member)
          const other = await addTicket(member)
          const now = made.context.clock.now()
          await bring(id, from, other)
          const actor = kind === 'member' ? member : staff
          const moved = await inTransaction(actor, (tx) =>
            tx
              .updateTable('tickets')
              .where(here)
              .set({
                state: to,
                resolved_at: now,
                merged_into: to === 'closed' ? other : null,
                ...(to === 'open' && { taken_by: null, taken_by_name: null }),
                ...(to === 'taken' && kind === 'staff' && { taken_by: staff.staffId, taken_by_name: staff.name }),
              })
              .where('ticket_id', '=', id)
              .execute(),
          ).then(
            () => true,
            () => false,
          )
          assert.equal(moved, ticketMoves[kind][from].includes(to), `${kind}: ${from} to ${to}`)
        }
      }
  })

  async function bring(id: string, state: string, other: string): Promise<void> {
    if (state === 'taken') await assignTicket(staff, id, { from: null, to: staff.staffId })
    if (state === 'resolved') await changeDeskTicket(staff, { id, status: 'resolved' })
    if (state === 'closed') await mergeTicket(staff, id, other)
  }

  it('stop members from writing as staff, editing or deleting messages, and reading notes', async () => {
    const person = await enter()
    const { member } = person
    const id = await addTicket(member)
    await writeMessage(person, id, 'Hello')
    await noteOnTicket(staff, id, 'A secret')
    const tries: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) =>
        tx.updateTable('ticket_messages').where(here).set({ content: 'Other' }).where('ticket_id', '=', id).execute(),
      (tx) => tx.deleteFrom('ticket_messages').where(here).where('ticket_id', '=', id).execute(),
      (tx) => tx.deleteFrom('tickets').where(here).where('ticket_id', '=', id).execute(),
      (tx) => tx.updateTable('tickets').where(here).set({ subject: 'Other' }).where('ticket_id', '=', id).execute(),
      (tx) =>
        tx
          .updateTable('tickets')
          .where(here)
          .set({ state: 'taken', taken_by: staff.staffId, taken_by_name: staff.name })
          .where('ticket_id', '=', id)
          .execute(),
      (tx) => tx.updateTable('tickets').where(here).set({ last_of_staff: 7 }).where('ticket_id', '=', id).execute(),
      (tx) =>
        tx
          .insertInto('ticket_messages')
          .values({
            workspace_id: system.workspaceId,
            message_id: newId(),
            ticket_id: id,
            member_id: member.memberId,
            position: 2,
            type: 'message',
            content: 'We owe you a million',
            staff_id: staff.staffId,
            staff_name: staff.name,
            created_at: made.context.clock.now(),
          })
          .execute(),
    ]
    for (const [index, attempt] of tries.entries())
      await assert.rejects(
        inTransaction(member, attempt),
        /stays as it was|removes nothing|keeps its words|takes no|speak/,
        String(index),
      )
    const notes = await inTransaction(member, (tx) => tx.selectFrom('ticket_notes').where(here).selectAll().execute())
    assert.deepEqual(notes, [])
  })
})
