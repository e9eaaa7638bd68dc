// spec: AO 6, DK tickets
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { FastifyInstance } from 'fastify'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { addAttachable, addTicket } from '../../tests/fixtures/tickets.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  type MadeStaff,
  memberActor,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { personalData } from '../domains.ts'
import type { Member, System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { exportMember } from '../members/personal-data/export.ts'
import { respondToTicket } from './respond.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let first: Colleague
let second: Colleague
let viewer: Colleague

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
  first = await hire({ name: 'Ada First', role: 'support' })
  second = await hire({ name: 'Ben Second', role: 'compliance' })
  viewer = await hire({ name: 'Vera Viewer', role: 'viewer' })
})
after(async () => {
  await app.close()
  await made.close()
})

type Colleague = MadeStaff & { token: string }

async function hire(values: { name: string; role: string; status?: string }, of = system): Promise<Colleague> {
  const staff = await addStaff(of, values)
  return { ...staff, token: (await openTestSession(of, { kind: 'staff', id: staff.staffId })).token }
}

type Person = { member: Member; token: string; email: string }

async function enter(of = system): Promise<Person> {
  const { memberId, email } = await addMember(of)
  const { token } = await openTestSession(of, { kind: 'member', id: memberId })
  return { member: await memberActor(of, memberId), token, email }
}

const act = (by: Colleague, id: string, what: string, body: object = {}) =>
  caller.post(`/desk/api/tickets/${id}/${what}`, body, by.token)
const assign = (by: Colleague, id: string, from: Colleague | null, to: Colleague | null) =>
  act(by, id, 'assign', { from: from?.staffId ?? null, to: to?.staffId ?? null })
const reply = (by: Colleague, id: string, content: string, resolves = false) =>
  act(by, id, 'reply', { content, resolves })
const note = (by: Colleague, id: string, content: string) => act(by, id, 'note', { content })
const readTicket = async (id: string, by = first) => {
  const answer = await caller.get(`/desk/api/tickets/${id}`, by.token)
  assert.equal(answer.status, 200, answer.raw)
  return answer.body.ticket as DeskTicket
}
const listOf = async (query: string, by = first) => {
  const answer = await caller.get(`/desk/api/tickets?${query}`, by.token)
  assert.equal(answer.status, 200, answer.raw)
  return answer.body as unknown as {
    tickets: (DeskTicket & { _id: string })[]
    next: string | null
    total: number
    counts: Record<string, number>
  }
}
const writeMessage = (member: Member, id: string, content: string) =>
  respondToTicket(member, id, { type: 'message', content, attachment: undefined })
const refusalOf = ({ status, body }: Answered) => [status, body.error]

describe('the assignment of a ticket', () => {
  it('refuses the second of two concurrent assignments with the assignee’s name', async () => {
    const { member } = await enter()
    for (let round = 0; round < 10; round += 1) {
      const id = await addTicket(member)
      const answers = await Promise.all([assign(first, id, null, first), assign(second, id, null, second)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      const holder = (await readTicket(id)).taken_by?.name ?? ''
      const refused = answers.find(({ status }) => status === 409) as Answered
      assert.equal(refused.body.error, deskTexts.ticketTakenBy.replace('{{name}}', holder))
      assert.equal(refused.body.code, 'conflict')
    }
  })

  it('is idempotent, and can be passed to a colleague or removed', async () => {
    const id = await addTicket((await enter()).member)
    assert.equal((await assign(first, id, null, first)).status, 200)
    assert.equal((await assign(first, id, null, first)).status, 200)
    assert.equal((await assign(first, id, first, second)).status, 200)
    assert.equal((await readTicket(id)).taken_by?.name, second.name)
    assert.deepEqual(refusalOf(await assign(first, id, first, null)), [
      409,
      deskTexts.ticketTakenBy.replace('{{name}}', second.name),
    ])
    assert.equal((await assign(second, id, second, null)).status, 200)
    const { state, taken_by } = await readTicket(id)
    assert.deepEqual([state, taken_by], ['open', null])
    assert.deepEqual(refusalOf(await assign(first, id, second, first)), [409, deskTexts.ticketHeldByNobody])
  })

  it('of nobody leaves a resolved ticket resolved, which nobody holds', async () => {
    const id = await addTicket((await enter()).member)
    await reply(first, id, 'Answered', true)
    assert.equal((await assign(first, id, null, null)).status, 200)
    assert.equal((await readTicket(id)).state, 'resolved')
  })

  it('refuses colleagues without permission, locked ones and those of another brokerage', async () => {
    const id = await addTicket((await enter()).member)
    const elsewhere = await addWorkspace(made.context)
    for (const colleague of [
      viewer,
      await hire({ name: 'Lou Locked', role: 'support', status: 'locked' }),
      await hire({ name: 'Eve Elsewhere', role: 'support' }, elsewhere),
      { ...first, staffId: newId() },
    ]) {
      const answer = await assign(first, id, null, colleague)
      assert.deepEqual([answer.status, answer.body.errors], [422, { to: [deskTexts.colleagueUnknown] }])
    }
  })
})

describe('an answer', () => {
  it('shows its author to the member, with a notification and a mail that names the ticket', async () => {
    const { member, token, email } = await enter()
    const id = await addTicket(member, { subject: 'Where is it?' })
    assert.equal((await reply(first, id, 'On its way.')).status, 200)
    const query =
      '{ tickets { ticket status taken_by { name } conversation { content is_staff created_by { name } } } }'
    const seen = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
    const [ticket] = (seen.body.data as { tickets: Record<string, unknown>[] }).tickets
    assert.deepEqual(ticket?.conversation, [
      { content: 'On its way.', is_staff: true, created_by: { name: first.name } },
    ])
    assert.deepEqual([ticket?.status, ticket?.taken_by], ['taken', { name: first.name }])
    const [mail] = await mailsTo(system, email)
    assert.ok(mail)
    assert.ok(mail.subject.includes(String(ticket?.ticket)), mail.subject)
    assert.ok(mail.text.includes(`/support?id=${id}`))
    assert.ok(!mail.text.includes('On its way.'), 'the message itself is only in the portal')
    const notifications = await reading(system, (tx) =>
      tx
        .selectFrom('notices')
        .where(here)
        .select(['kind', 'target_id'])
        .where('member_id', '=', member.memberId)
        .execute(),
    )
    assert.deepEqual(notifications, [{ kind: 'ticket.answered', target_id: id }])
  })

  it('shows the picture of its author', async () => {
    const { member, token } = await enter()
    const id = await addTicket(member)
    const painted = await hire({ name: 'Pia Painted', role: 'support' })
    const picture = makePng().toString('base64')
    assert.equal((await caller.post('/desk/api/account/picture', { picture }, painted.token)).status, 200)
    await reply(painted, id, 'Good morning.')
    await reply(first, id, 'Good evening.')
    const query =
      '{ tickets { taken_by { profile_pic { url } } conversation { created_by { name profile_pic { url } } } } }'
    const seen = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
    type Face = { name: string; profile_pic: { url: string } | null }
    const [ticket] = (seen.body.data as { tickets: { taken_by: Face; conversation: { created_by: Face }[] }[] }).tickets
    const url = ticket?.taken_by.profile_pic?.url ?? ''
    assert.deepEqual(
      ticket?.conversation.map(({ created_by }) => [created_by.name, created_by.profile_pic?.url ?? null]),
      [
        [painted.name, url],
        [first.name, null],
      ],
    )
    assert.equal((await caller.get(`/cp${url}`, token)).status, 200)
  })

  it('escapes markup of the subject in the mail', async () => {
    const { member, email } = await enter()
    const id = await addTicket(member, { subject: '<script>alert(1)</script>"><img src=x onerror=alert(2)>' })
    await reply(first, id, '<b>Bold</b>')
    const [mail] = await mailsTo(system, email)
    assert.ok(mail)
    assert.ok(mail.html.includes('&lt;script&gt;'))
    assert.ok(!/<script|<img src=x|<b>Bold/.test(mail.html), mail.html)
  })

  it('is one answer, one notification and one mail when sent repeatedly', async () => {
    const { member, email } = await enter()
    const id = await addTicket(member)
    await Promise.all([reply(first, id, 'Hello'), reply(first, id, 'Hello'), reply(first, id, 'Hello')])
    assert.equal((await readTicket(id)).conversation.length, 1)
    assert.equal((await mailsTo(system, email)).length, 1)
  })

  it('leaves a colleague’s ticket assigned to them, and reopens a resolved one', async () => {
    const id = await addTicket((await enter()).member)
    await assign(first, id, null, first)
    await reply(second, id, 'I can help')
    assert.equal((await readTicket(id)).taken_by?.name, first.name)
    await reply(second, id, 'Done.', true)
    assert.equal((await readTicket(id)).state, 'resolved')
    await reply(second, id, 'One more thing')
    const { state, taken_by } = await readTicket(id)
    assert.deepEqual([state, taken_by?.name], ['taken', second.name])
  })

  it('is refused when empty, from a viewer, and in another brokerage', async () => {
    const id = await addTicket((await enter()).member)
    assert.deepEqual(refusalOf(await reply(first, id, '  ')), [422, ticketTexts.messageMissing])
    const elsewhere = await addWorkspace(made.context)
    const foreign = await addTicket((await enter(elsewhere)).member)
    for (const what of ['assign', 'reply', 'note', 'change', 'merge', 'read'] as const) {
      const bodies = {
        ...{ assign: { from: null, to: first.staffId }, reply: { content: 'Hello' }, note: { content: 'Hello' } },
        ...{ change: { status: 'resolved' }, merge: { into: id }, read: {} },
      }
      const body = bodies[what]
      assert.equal((await act(viewer, id, what, body)).status, 403, what)
      assert.equal((await act(first, foreign, what, body)).status, 404, what)
      assert.equal((await act(first, newId(), what, body)).status, 404, what)
    }
    assert.equal((await caller.get(`/desk/api/tickets/${foreign}`, first.token)).status, 404)
  })

  it('notifies the member, like a change of state and unlike a change of priority', async () => {
    const { member, email } = await enter()
    const id = await addTicket(member)
    await act(first, id, 'change', { priority: 'high' })
    assert.equal((await mailsTo(system, email)).length, 0)
    await act(first, id, 'change', { status: 'resolved' })
    made.context.clock.advance(1_000)
    await act(first, id, 'change', { status: 'open' })
    const subjects = (await mailsTo(system, email)).map(({ subject }) => subject)
    assert.equal(subjects.length, 2)
    assert.match(subjects.join(), /was closed.*was reopened|was reopened.*was closed/)
  })
})

describe('a page that shows an earlier state', () => {
  it('does not reopen a ticket that a colleague has taken meanwhile', async () => {
    const id = await addTicket((await enter()).member)
    await reply(first, id, 'Done.', true)
    const page = await readTicket(id)
    await act(second, id, 'change', { status: 'open', seen_state: page.state })
    await assign(second, id, null, second)
    const stale = await act(first, id, 'change', { status: 'open', seen_state: page.state })
    assert.deepEqual(refusalOf(stale), [409, deskTexts.ticketMoved])
    const { state, taken_by } = await readTicket(id)
    assert.deepEqual([state, taken_by?.name], ['taken', second.name])
  })

  it('does not resolve a ticket whose member has written meanwhile', async () => {
    for (const [what, body] of [
      ['change', { status: 'resolved' }],
      ['reply', { content: 'Done.', resolves: true }],
    ] as const) {
      const { member } = await enter()
      const id = await addTicket(member)
      await reply(first, id, 'Which account?')
      const seenOf = async () => {
        const { state, messages } = await readTicket(id)
        return { seen_state: state, seen_messages: messages }
      }
      const page = await seenOf()
      await say(member, id, 'And what about the other one?')
      assert.deepEqual(refusalOf(await act(first, id, what, { ...body, ...page })), [
        409,
        deskTexts.ticketAnsweredMeanwhile,
      ])
      const after = await readTicket(id)
      assert.deepEqual([after.state, after.waits, after.messages], ['taken', true, 2])
      assert.equal((await act(first, id, what, { ...body, ...(await seenOf()) })).status, 200)
      assert.equal((await readTicket(id)).state, 'resolved')
    }
  })
})

describe('a note', () => {
  it('is visible to staff and never to its member', async () => {
    const { member, token, email } = await enter()
    const id = await addTicket(member, { subject: 'Where is it?' })
    const secret = `secret${newId().replaceAll('-', '')}`
    assert.equal((await note(first, id, secret)).status, 200)
    assert.equal((await note(first, id, secret)).status, 200)
    const notes = (await readTicket(id, second)).conversation.filter(({ kind }) => kind === 'note')
    assert.deepEqual(
      notes.map(({ content, by }) => [content, by?.name]),
      [[secret, first.name]],
    )
    const fields = `_id ticket subject description response conversation { uid type content created_by { name } }
      taken_by { name } is_unread created_at`
    const graph = (query: string) => caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
    for (const answer of [
      await graph(`{ tickets { ${fields} } }`),
      await graph(`{ tickets(_id: "${id}") { ${fields} } }`),
      await graph(`{ tickets(q: "${secret}", withCount: true) { ${fields} } }`),
      await caller.get(`/members/search?q=${secret}`, token),
      await caller.get('/members/search?q=where', token),
      await caller.post('/tickets/cp-read', { _id: id }, token),
      await caller.post('/tickets/cp-update', { _id: id, priority: 'high' }, token),
      await caller.post('/tickets/cp-respond', { _id: id, response: { type: 'message', content: 'Hello' } }, token),
    ]) {
      assert.equal(answer.status, 200, answer.raw)
      assert.ok(!answer.raw.includes(secret), answer.raw)
    }
    const own = await reading(member, async (tx) => [
      ...(await tx.selectFrom('ticket_notes').where(here).selectAll().execute()),
      ...(await tx.selectFrom('audit_log').where(here).selectAll().where('action', '=', 'ticket.noted').execute()),
    ])
    assert.deepEqual(own, [])
    assert.equal((await mailsTo(system, email)).length, 0)
    // The data export is for the member too.
    const exported = await exportMember(
      staffActor(system, { ...second, role: 'administrator' }),
      member.memberId,
      personalData,
    )
    assert.ok(!JSON.stringify(exported).includes(secret))
  })
})

describe('merging tickets', () => {
  it('shows the merged conversation, notifies the member and closes the other ticket', async () => {
    const { member, token, email } = await enter()
    const from = await addTicket(member, { subject: 'The first', description: 'MessageContent first' })
    const into = await addTicket(member, { subject: 'The second' })
    const attachment = await addAttachable(system, member.memberId)
    made.context.clock.advance(1_000)
    await respondToTicket(member, from, { type: 'attachment', attachment, content: 'MessageContent in the first' })
    made.context.clock.advance(1_000)
    await writeMessage(member, into, 'MessageContent in the second')
    assert.equal((await act(first, from, 'merge', { into })).status, 200)
    assert.equal((await act(first, from, 'merge', { into })).status, 200)
    const whole = (await readTicket(into)).conversation.map(({ kind, content }) => [kind, content?.split('\n').at(-1)])
    assert.deepEqual(whole, [
      ['merged', 'MessageContent first'],
      ['message', 'MessageContent in the first'],
      ['message', 'MessageContent in the second'],
    ])
    const query = `{ tickets(_id: "${into}") { conversation { content attachment { name } } } }`
    const seen = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
    for (const word of [
      'MessageContent first',
      'MessageContent in the first',
      'statement.pdf',
      'MessageContent in the second',
    ])
      assert.ok(seen.raw.includes(word), word)
    const other = await readTicket(from)
    assert.deepEqual([other.state, other.merged_into?._id], ['closed', into])
    const { ticket } = await readTicket(into)
    const late = await caller.post(
      '/tickets/cp-respond',
      { _id: from, response: { type: 'message', content: 'Here?' } },
      token,
    )
    assert.deepEqual(refusalOf(late), [409, ticketTexts.goesOn.replace('{{ticket}}', ticket)])
    for (const [what, body] of [
      ['reply', { content: 'Hello' }],
      ['change', { status: 'open' }],
      ['assign', { from: null, to: first.staffId }],
    ] as const)
      assert.equal((await act(first, from, what, body)).status, 409, what)
    assert.equal((await mailsTo(system, email)).filter(({ subject }) => subject.includes('continues in')).length, 1)
  })

  it('refuses chains, circles, the ticket itself and tickets of another member', async () => {
    const { member } = await enter()
    const [a, b, c] = [await addTicket(member), await addTicket(member), await addTicket(member)] as [
      string,
      string,
      string,
    ]
    await act(first, a, 'merge', { into: b })
    await act(first, b, 'merge', { into: c })
    assert.equal((await readTicket(a)).merged_into?._id, c)
    assert.equal((await readTicket(c)).conversation.filter(({ kind }) => kind === 'merged').length, 2)
    const other = await addTicket((await enter()).member)
    const foreign = await addTicket((await enter(await addWorkspace(made.context))).member)
    for (const into of [other, foreign, c, a, newId()])
      for (const id of [c, c.toUpperCase()]) {
        const answer = await act(first, id, 'merge', { into })
        assert.deepEqual([answer.status, answer.body.errors], [422, { into: [deskTexts.ticketMergeUnknown] }], into)
      }
  })

  it('lets an unanswered question wait in the other ticket, and no answered one', async () => {
    const { member } = await enter()
    for (const isResolved of [true, false]) {
      const into = await addTicket(member)
      await reply(first, into, 'Answered', isResolved)
      const answered = await addTicket(member)
      await reply(first, answered, 'Answered')
      assert.equal((await act(first, answered, 'merge', { into })).status, 200)
      const before = await readTicket(into)
      assert.deepEqual([before.state, before.waits], [isResolved ? 'resolved' : 'taken', false])
      assert.equal((await act(first, await addTicket(member), 'merge', { into })).status, 200)
      const after = await readTicket(into)
      assert.deepEqual([after.state, after.waits], [isResolved ? 'open' : 'taken', true])
    }
  })

  it('closes one of two tickets merged into each other concurrently', async () => {
    const { member } = await enter()
    const [a, b] = [await addTicket(member), await addTicket(member)]
    const answers = await Promise.all([act(first, a, 'merge', { into: b }), act(second, b, 'merge', { into: a })])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const states = [(await readTicket(a)).state, (await readTicket(b)).state].sort()
    assert.deepEqual(states, ['closed', 'open'])
  })
})

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
    const all = (await change('add', greeting)).body.replies as { _id: string; revision: string }[]
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
