// spec: AO 6, DK tickets
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Answered } from '../../tests/fixtures/caller.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { openTicketDesk, refusalOf, type TicketDesk, writeMessage } from '../../tests/fixtures/ticket-desk.ts'
import { addAttachable, addTicket } from '../../tests/fixtures/tickets.ts'
import { addWorkspace, provenStaff } from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { exportMember } from '../members/personal-data/export.ts'
import { respondToTicket } from './respond.ts'

let fixture: TicketDesk
let made: TicketDesk['made']
let system: TicketDesk['system']
let caller: TicketDesk['caller']
let first: TicketDesk['first']
let second: TicketDesk['second']
let viewer: TicketDesk['viewer']
let hire: TicketDesk['hire']
let enter: TicketDesk['enter']
let act: TicketDesk['act']
let assign: TicketDesk['assign']
let reply: TicketDesk['reply']
let note: TicketDesk['note']
let readTicket: TicketDesk['readTicket']

before(async () => {
  fixture = await openTicketDesk()
  ;({ made, system, caller, first, second, viewer, hire, enter, act, assign, reply, note, readTicket } = fixture)
})
after(() => fixture.close())

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

  it('resolves the ticket when the same words come again to close it', async () => {
    const { member, email } = await enter()
    const id = await addTicket(member)
    await reply(first, id, 'Done.')
    for (const _ of [1, 2]) assert.equal((await reply(first, id, 'Done.', true)).status, 200)
    const { state, messages } = await readTicket(id)
    assert.deepEqual([state, messages], ['resolved', 1])
    const subjects = (await mailsTo(system, email)).map(({ subject }) => subject.replace(/^Ticket \d+ /, ''))
    assert.deepEqual(subjects.sort(), ['was answered', 'was closed'])
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
      await writeMessage(member, id, 'And what about the other one?')
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
    const exporter = await provenStaff(system, { ...second, role: 'administrator' })
    const exported = await exportMember(exporter, member.memberId, personalData)
    assert.ok(!JSON.stringify(exported).includes(secret))
  })
})

it('keeps a note with the words of an earlier one, and not those of a double click', async () => {
  const id = await addTicket((await enter()).member)
  for (const _ of [1, 2]) await note(first, id, 'Called, no answer')
  made.context.clock.advance(61_000)
  await note(first, id, 'Called, no answer')
  assert.equal((await readTicket(id)).conversation.length, 2)
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
