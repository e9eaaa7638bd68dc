// spec: AO 6, DK tickets
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openTicketDesk, refusalOf, type TicketDesk, writeMessage } from '../../tests/fixtures/ticket-desk.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import { addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let fixture: TicketDesk
let made: TicketDesk['made']
let system: TicketDesk['system']
let app: TicketDesk['app']
let caller: TicketDesk['caller']
let first: TicketDesk['first']
let second: TicketDesk['second']
let viewer: TicketDesk['viewer']
let hire: TicketDesk['hire']
let enter: TicketDesk['enter']
let act: TicketDesk['act']
let reply: TicketDesk['reply']
let note: TicketDesk['note']
let readTicket: TicketDesk['readTicket']
let listOf: TicketDesk['listOf']

before(async () => {
  fixture = await openTicketDesk()
  ;({ made, system, app, caller, first, second, viewer, hire, enter, act, reply, note, readTicket, listOf } = fixture)
})
after(() => fixture.close())

describe('the board of tickets', () => {
  it('lists each state oldest first, counts, pages and searches', async () => {
    const elsewhere = await addWorkspace(made.context, { subdomain: 'board' })
    const desk = await hire({ name: 'Dana Desk', role: 'support' }, elsewhere)
    const at = callerOf(app, 'board.localhost')
    const { member } = await enter(elsewhere)
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push(await addTicket(member, { subject: `Number ${count} of 100%` }))
      made.context.clock.advance(1_000)
    }
    const board = async (query: string) => {
      const answer = await at.get(`/desk/api/tickets?${query}`, desk.token)
      assert.equal(answer.status, 200, answer.raw)
      return answer.body as unknown as Awaited<ReturnType<typeof listOf>>
    }
    const pages: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: Awaited<ReturnType<typeof listOf>> = await board(`limit=2${after ? `&after=${after}` : ''}`)
      pages.push(...page.tickets.map(({ _id }) => _id))
      assert.equal(page.total, 5)
      after = page.next
    }
    assert.deepEqual(pages, ids)
    const [one] = ids as [string]
    const { ticket } = (await board('')).tickets[0] as DeskTicket
    const found = async (q: string) =>
      (await board(`q=${encodeURIComponent(q)}`)).tickets.map(({ subject }) => subject.slice(0, 8))
    // With the # sign, because subjects contain short numbers too.
    assert.deepEqual(await found(`#${ticket}`), ['Number 0'])
    assert.deepEqual(await found('ber 3'), ['Number 3'])
    assert.equal((await found('100%')).length, 5)
    assert.deepEqual(await found('100_'), [])
    assert.equal((await found('mara')).length, 5)
    await at.post(`/desk/api/tickets/${one}/assign`, { from: null, to: desk.staffId }, desk.token)
    const mine = await board('state=taken&mine=yes')
    assert.deepEqual(
      mine.tickets.map(({ _id }) => _id),
      [one],
    )
    assert.deepEqual(mine.counts, { open: 4, taken: 1, resolved: 0, closed: 0, waiting: 5 })
    assert.equal((await caller.get('/desk/api/tickets')).status, 401)
    assert.equal((await caller.get('/desk/api/tickets?after=nonsense', first.token)).status, 422)
  })

  it('counts unassigned tickets and those whose member wrote last as waiting', async () => {
    const elsewhere = await addWorkspace(made.context, { subdomain: 'waiting' })
    const desk = await hire({ name: 'Wanda Waiting', role: 'support' }, elsewhere)
    const at = callerOf(app, 'waiting.localhost')
    const { member } = await enter(elsewhere)
    const waiting = async () => {
      const { body } = await at.get('/desk/api/tickets?limit=1&state=closed&q=nothing', desk.token)
      return (body.counts as Record<string, number>).waiting
    }
    const send = async (id: string, what: string, body: object) =>
      assert.equal((await at.post(`/desk/api/tickets/${id}/${what}`, body, desk.token)).status, 200)
    assert.equal(await waiting(), 0)
    const id = await addTicket(member)
    await addTicket(member)
    await addTicket((await enter()).member)
    assert.equal(await waiting(), 2)
    await send(id, 'assign', { from: null, to: desk.staffId })
    assert.equal(await waiting(), 2)
    await send(id, 'reply', { content: 'On its way.' })
    assert.equal(await waiting(), 1)
    await writeMessage(member, id, 'Since when?')
    assert.equal(await waiting(), 2)
    await send(id, 'reply', { content: 'Since noon.' })
    await send(id, 'assign', { from: desk.staffId, to: null })
    assert.equal(await waiting(), 2)
    await send(id, 'change', { status: 'resolved' })
    assert.equal(await waiting(), 1)
  })

  it('exports a CSV by the same filters, without formulas', async () => {
    const { member } = await enter()
    const mark = newId()
    const id = await addTicket(member, { subject: `=HYPERLINK("https://evil.test") ${mark}` })
    await addTicket(member, { subject: `Another ${mark}` })
    await note(first, id, 'Known to us')
    const table = (query: string, by = first) => caller.get(`/desk/api/tickets/table?${query}`, by.token)
    const all = await table(`q=${mark}`)
    assert.equal(all.status, 200)
    assert.match(String(all.headers['content-type']), /^text\/csv/)
    const lines = all.raw.trimEnd().split('\r\n')
    assert.equal(lines.length, 3)
    assert.ok(all.raw.includes(`"'=HYPERLINK(""https://evil.test"") ${mark}"`), all.raw)
    assert.ok(!all.raw.includes('Known to us'))
    assert.equal((await table(`q=${mark}&state=taken`)).raw.trimEnd().split('\r\n').length, 1)
    assert.equal((await table(`q=${mark}`, viewer)).status, 200)
    const entries = await reading(system, (tx) =>
      tx.selectFrom('audit_log').where(here).select('after').where('action', '=', 'tickets.exported').execute(),
    )
    assert.equal(entries.length, 3)
    assert.ok(!JSON.stringify(entries).includes(mark))
  })

  it('marks unread tickets for each desk user', async () => {
    const { member } = await enter()
    const id = await addTicket(member)
    assert.deepEqual([(await readTicket(id)).is_unread, (await readTicket(id, viewer)).is_unread], [true, false])
    await act(first, id, 'read')
    assert.deepEqual([(await readTicket(id)).is_unread, (await readTicket(id, second)).is_unread], [false, true])
    await writeMessage(member, id, 'Anybody?')
    assert.equal((await readTicket(id)).is_unread, true)
    await reply(first, id, 'Yes')
    assert.deepEqual([(await readTicket(id)).is_unread, (await readTicket(id)).waits], [false, false])
  })

  it('shows the member with their other tickets', async () => {
    const { member, email } = await enter()
    const id = await addTicket(member)
    const other = await addTicket(member)
    const { context, colleagues } = await readTicket(id)
    assert.equal(context.email, email)
    assert.deepEqual(
      context.tickets.map(({ _id }) => _id),
      [other],
    )
    const names = colleagues.map(({ name }) => name)
    assert.ok(names.includes(first.name) && !names.includes(viewer.name))
  })
})

describe('response times', () => {
  it('report the time to the first answer, and waiting tickets', async () => {
    const here = await addWorkspace(made.context, { subdomain: 'times' })
    const desk = await hire({ name: 'Tom Times', role: 'support' }, here)
    const at = callerOf(app, 'times.localhost')
    const { member } = await enter(here)
    // The clock advances beyond the life of a session.
    const enterAnew = async () => (await openTestSession(here, { kind: 'staff', id: desk.staffId })).token
    const send = async (id: string, what: string, body: object) =>
      at.post(`/desk/api/tickets/${id}/${what}`, body, await enterAnew())
    const metrics = async (days = '7') =>
      (await at.get(`/desk/api/ticket-figures?days=${days}`, await enterAnew())).body.figures as Record<string, unknown>
    assert.deepEqual(await metrics(), {
      ...{ created: 0, answered: 0, resolved: 0, unanswered: 0, oldest_unanswered_at: null },
      ...{ first_answer_median: null, first_answer_p90: null, resolution_median: null, by_colleague: [] },
    })
    for (const minutes of [10, 20, 30]) {
      const id = await addTicket(member)
      made.context.clock.advance(minutes * 60_000)
      await send(id, 'reply', { content: 'Hello', resolves: minutes === 20 })
    }
    const waiting = await addTicket(member)
    const waitingSince = made.context.clock.now().getTime()
    const { by_colleague, ...rest } = await metrics()
    assert.deepEqual(rest, {
      ...{ created: 4, answered: 3, resolved: 1, unanswered: 1, oldest_unanswered_at: waitingSince },
      ...{ first_answer_median: 1_200, first_answer_p90: 1_680, resolution_median: 1_200 },
    })
    assert.deepEqual(by_colleague, [{ _id: desk.staffId, name: desk.name, messages: 3, tickets: 3 }])
    made.context.clock.advance(8 * 86_400_000)
    assert.deepEqual(((read) => [read.created, read.unanswered])(await metrics()), [0, 1])
    assert.equal((await metrics('30')).created, 4)
    assert.equal((await send(waiting, 'read', {})).status, 200)
  })
})

describe('canned replies', () => {
  it('are added, changed and archived with permission, with unique names', async () => {
    const here = await addWorkspace(made.context, { subdomain: 'canned' })
    const desk = await hire({ name: 'Cara Canned', role: 'support' }, here)
    const reader = await hire({ name: 'Rita Reader', role: 'viewer' }, here)
    const at = callerOf(app, 'canned.localhost')
    const change = (path: string, body: object, by = desk) =>
      at.post(`/desk/api/canned-replies/${path}`, body, by.token)
    const greeting = { name: 'Greeting', content: 'Good morning.' }
    assert.equal((await change('add', greeting)).status, 200)
    const all = (await change('add', greeting)).body.replies as { _id: string; name: string; revision: string }[]
    assert.equal(all.length, 1)
    const id = all[0]?._id ?? ''
    const taken = await change('add', { name: 'greeting', content: 'Other' })
    assert.deepEqual(taken.body.errors, { name: [deskTexts.cannedReplyNameTaken] })
    // The database and JavaScript have other lower cases of this letter.
    assert.equal((await change('add', { name: 'İade', content: 'Sent back.' })).status, 200)
    const spelled = await change('add', { name: 'iade', content: 'Other' })
    assert.deepEqual([spelled.status, spelled.body.errors], [422, { name: [deskTexts.cannedReplyNameTaken] }])
    const both = (await at.get('/desk/api/canned-replies', desk.token)).body.replies as typeof all
    assert.deepEqual(both.map(({ name }) => name).sort(), ['Greeting', 'İade'])
    for (const { _id } of both.filter(({ name }) => name !== 'Greeting')) await change(`${_id}/archive`, {})
    assert.equal((await change(`${id}/change`, { name: 'Greeting', content: 'Good evening.' })).status, 200)
    const stale = await change(`${id}/change`, { ...greeting, content: 'Hello.', seen: all[0]?.revision })
    assert.deepEqual(refusalOf(stale), [409, deskTexts.recordChanged])
    assert.equal((await change(`${newId()}/change`, greeting)).status, 404)
    assert.equal((await change('add', { name: ' ', content: '' })).status, 422)
    assert.equal((await change('add', greeting, reader)).status, 403)
    assert.equal((await at.get('/desk/api/canned-replies', reader.token)).status, 200)
    const elsewhere = await hire({ name: 'Eve Elsewhere', role: 'support' })
    assert.deepEqual((await caller.get('/desk/api/canned-replies', elsewhere.token)).body.replies, [])
    assert.deepEqual((await change(`${id}/archive`, {})).body.replies, [])
    assert.equal((await change(`${id}/archive`, {})).status, 200)
    assert.equal((await change('add', greeting)).status, 200)
  })
})

it('shows a conversation in the order in which it was written, even if the clocks of two processes differ', async () => {
  const { member, token } = await enter()
  const desk = await hire({ name: 'Cleo Clock', role: 'support' })
  const into = await addTicket(member)
  await writeMessage(member, into, 'Where is it?')
  made.context.clock.advance(3_000)
  const from = await addTicket(member, { description: 'Again' })
  await writeMessage(member, from, 'Still not there.')
  made.context.clock.advance(-2_000)
  await reply(desk, from, 'Which one?')
  made.context.clock.advance(3_000)
  await writeMessage(member, from, 'The first.')
  await act(desk, from, 'merge', { into })
  const written = ['Where is it?', 'Again', 'Still not there.', 'Which one?', 'The first.']
  const shown = (content: string | null) => content?.split('\n').at(-1)
  assert.deepEqual(
    (await readTicket(into, desk)).conversation.map(({ content }) => shown(content)),
    written,
  )
  const query = `{ tickets(_id: "${into}") { conversation { content } } }`
  const seen = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
  const [ticket] = (seen.body.data as { tickets: { conversation: { content: string }[] }[] }).tickets
  assert.deepEqual(
    ticket?.conversation.map(({ content }) => shown(content)),
    written,
  )
})

it('shows notes where they were written, even in one moment or if the clocks of two processes differ', async () => {
  const { member } = await enter()
  const desk = await hire({ name: 'Nora Notes', role: 'support' })
  const ticket = await addTicket(member)
  const written = Array.from({ length: 8 }, (_, index) => `Note ${index}`)
  for (const content of written) await note(desk, ticket, content)
  made.context.clock.advance(-2_000)
  await note(desk, ticket, 'An earlier clock')
  await writeMessage(member, ticket, 'Where is it?')
  await note(desk, ticket, 'Asked the bank')
  made.context.clock.advance(-2_000)
  await reply(desk, ticket, 'On its way.')
  const { conversation } = await readTicket(ticket, desk)
  assert.deepEqual(
    conversation.map(({ content }) => content),
    [...written, 'An earlier clock', 'Where is it?', 'Asked the bank', 'On its way.'],
  )
})
