// spec: MP 5, MP 7, MP 8, MP 9, AO 2.9, AO 3, AO 4, AO 5, AO 6, AO 7, AO 8, AO 9, DK tickets
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { Answered } from '../../tests/fixtures/caller.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { complaint, idOf, openTicketFixture, type TicketFixture } from '../../tests/fixtures/ticket-fixture.ts'
import { addAttachable, addTicket } from '../../tests/fixtures/tickets.ts'
import { addAccount, addDownload, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { setFeatures, setPermissions } from '../../tests/fixtures/workspaces.ts'
import { sweepUploads } from '../files/sweep.ts'
import { newId } from '../foundation/ids.ts'
import { replyToTicket } from './desk-answers.ts'

let fixture: TicketFixture
let made: TicketFixture['made']
let system: TicketFixture['system']
let elsewhere: TicketFixture['elsewhere']
let caller: TicketFixture['caller']
let owner: TicketFixture['owner']
let staff: TicketFixture['staff']
let platformId: TicketFixture['platformId']
let enter: TicketFixture['enter']
let create: TicketFixture['create']
let respond: TicketFixture['respond']
let writeMessage: TicketFixture['writeMessage']
let update: TicketFixture['update']
let ask: TicketFixture['ask']
let see: TicketFixture['see']

before(async () => {
  fixture = await openTicketFixture()
  ;({
    made,
    system,
    elsewhere,
    caller,
    owner,
    staff,
    platformId,
    enter,
    create,
    respond,
    writeMessage,
    update,
    ask,
    see,
  } = fixture)
})
after(() => fixture.close())

describe('creating a ticket', () => {
  it('sets it open and low, ignoring the client, and returns it in both forms', async () => {
    const person = await enter()
    const answer = await create(person, { priority: 'high', customer: person.member.memberId, status: 'resolved' })
    assert.equal(answer.status, 200, answer.raw)
    assert.deepEqual(answer.body.msg, [ticketTexts.created])
    const { status, priority } = await see(person, idOf(answer))
    assert.deepEqual([status, priority], ['open', 'low'])
    assert.deepEqual((answer.body.data as { ticket: unknown }).ticket, answer.body.ticket)
  })

  it('numbers it within the workspace', async () => {
    const person = await enter()
    const first = Number((await see(person, idOf(await create(person, { subject: 'One' })))).ticket)
    const second = Number((await see(person, idOf(await create(person, { subject: 'Two' })))).ticket)
    assert.equal(second, first + 1)
  })

  it('creates one for repeated identical text, and another one after a while', async () => {
    const person = await enter()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(person)))
    assert.equal(new Set(answers.map(idOf)).size, 1)
    made.context.clock.advance(61_000)
    assert.notEqual(idOf(await create(person)), idOf(answers[0] as Answered))
  })

  for (const [what, wrong, message] of [
    ['no subject', { subject: ' ' }, validatorTexts.required],
    ['no description', { description: '' }, validatorTexts.required],
    ['a subject of two lines', { subject: 'a\nb' }, texts.textUnreadable],
    ['a lone surrogate', { description: 'a\ud800' }, texts.textUnreadable],
    ['a subject that is too long', { subject: 'x'.repeat(121) }, 'Use at most 120 characters.'],
    ['an unknown type', { type: 'urgent' }, texts.valueRefused],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const answer = await create(await enter(), wrong)
      assert.equal(answer.status, 422)
      assert.equal(answer.body.error, message)
    })

  it('accepts an own account, transaction or download as its subject', async () => {
    const person = await enter()
    const { memberId } = person.member
    const accountId = await addAccount(system, { memberId, platformId, platform_login: '700900' })
    const transactionId = await addTransaction(system, { memberId, accountId, ticket: 99_001 })
    const { id: downloadId } = await addDownload(system, { platformId })
    const seen: unknown[] = []
    for (const model_id of [accountId, transactionId, downloadId])
      seen.push((await see(person, idOf(await create(person, { subject: model_id, model_id })))).model)
    assert.deepEqual(seen.slice(0, 2), [
      { __typename: 'TradingAccount', platform_login: '700900' },
      { __typename: 'BalanceTransaction', ticket: '99001' },
    ])
    assert.equal((seen[2] as Record<string, unknown>).__typename, 'PlatformDownload')
    assert.ok((seen[2] as Record<string, unknown>).trading_platform_name)
  })

  it('refuses another member’s subject or name', async () => {
    const [person, other, foreignMember] = [await enter(), await enter(), await enter(elsewhere)]
    const { memberId } = other.member
    const accountId = await addAccount(system, { memberId, platformId })
    const foreignPlatform = await addPlatform(elsewhere)
    const foreignAccount = await addAccount(elsewhere, {
      memberId: foreignMember.member.memberId,
      platformId: foreignPlatform,
    })
    const unused = await addPlatform(system)
    await addAccount(system, { memberId: person.member.memberId, platformId })
    const ids = [
      accountId,
      await addTransaction(system, { memberId, accountId }),
      foreignAccount,
      (await addDownload(elsewhere, { platformId: foreignPlatform })).id,
      // Of the same brokerage, for a platform where the member has no account.
      (await addDownload(system, { platformId: unused })).id,
      await addTicket(other.member),
      memberId,
    ]
    const unknown = await create(person, { model_id: newId() })
    assert.equal(unknown.status, 422)
    for (const model_id of ids) {
      const answer = await create(person, { model_id })
      assert.deepEqual(
        [answer.status, answer.body.errors],
        [422, unknown.body.errors],
        `${model_id} is distinguished from an unknown id`,
      )
    }
    assert.equal((await create(person, { customer: memberId })).status, 422)
    assert.deepEqual((await ask(person, '{ tickets { _id } }')).data.tickets, [])
  })

  it('requires a session, the permission and the feature', async () => {
    const person = await enter()
    assert.equal((await caller.post('/tickets/cp-create', complaint)).status, 401)
    await setPermissions(system, person.member.memberId, ['support-'])
    assert.equal((await create(person)).status, 403)
    await setPermissions(system, person.member.memberId, [])
    await setFeatures(system, { support: false })
    const off = await create(person)
    assert.deepEqual([off.status, off.body.code], [404, 'feature_off'])
    await setFeatures(system, {})
  })

  it('is rate-limited', async () => {
    const person = await enter()
    const answers: number[] = []
    for (let count = 0; count < 21; count += 1) answers.push((await create(person, { subject: `${count}` })).status)
    assert.equal(answers.at(-1), 429)
    assert.equal(answers.filter((status) => status === 200).length, 20)
  })
})

describe('writing in a ticket', () => {
  it('keeps messages in order', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    for (const content of ['First', 'Second', '<b>Third</b>'])
      assert.equal((await writeMessage(person, id, content)).status, 200)
    await replyToTicket(staff, { id, content: 'Fourth', resolves: false })
    const { conversation } = await see(person, id)
    assert.deepEqual(
      conversation.map(({ content, is_staff }) => [content, is_staff]),
      [
        ['First', false],
        ['Second', false],
        ['<b>Third</b>', false],
        ['Fourth', true],
      ],
    )
  })

  for (const content of ['', '   ', '\n\t', null, undefined])
    it(`refuses an empty message (${JSON.stringify(content)})`, async () => {
      const person = await enter()
      const answer = await respond(person, await addTicket(person.member), { type: 'message', content })
      assert.equal(answer.status, 422)
      assert.equal(answer.body.error, ticketTexts.messageMissing)
    })

  it('adds one message for repeated concurrent ones', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const answers = await Promise.all(Array.from({ length: 5 }, () => writeMessage(person, id, 'Hello')))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal((await see(person, id)).conversation.length, 1)
    await writeMessage(person, id, 'Anybody?')
    await writeMessage(person, id, 'Hello')
    assert.equal((await see(person, id)).conversation.length, 3)
  })

  it('reopens a resolved ticket', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    await replyToTicket(staff, { id, content: 'Done.', resolves: true })
    assert.equal((await see(person, id)).status, 'resolved')
    await writeMessage(person, id, 'Not quite')
    const { status, taken_by } = await see(person, id)
    assert.deepEqual([status, taken_by], ['open', null])
  })

  it('reopens one that was closed after the same words, which are no double click then', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    for (const _ of [1, 2]) await writeMessage(person, id, 'It still fails')
    assert.equal((await update(person, { _id: id, status: 'resolved' })).status, 200)
    for (const _ of [1, 2]) await writeMessage(person, id, 'It still fails')
    const { status, conversation } = await see(person, id)
    assert.deepEqual([status, conversation.length], ['open', 2])
  })

  it('treats markup, scripts and direction marks as text', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const written = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '\u202egnp.exe',
      "'; drop table tickets; --",
    ]
    for (const content of written) assert.equal((await writeMessage(person, id, content)).status, 200)
    assert.deepEqual(
      (await see(person, id)).conversation.map(({ content }) => content),
      written,
    )
    for (const content of ['bell\u0007', 'null\u0000', 'escape\u001b[31m', 'half\ud800'])
      assert.equal((await writeMessage(person, id, content)).status, 422, content)
  })

  it('accepts an own unused file', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const attachment = await addAttachable(system, person.member.memberId)
    const answer = await respond(person, id, { type: 'attachment', attachment })
    assert.deepEqual([answer.status, answer.body.msg], [200, [ticketTexts.attachmentAdded]])
    assert.equal((await respond(person, id, { type: 'attachment', attachment })).status, 200)
    const { conversation } = await see(person, id)
    assert.deepEqual(
      conversation.map(({ type, attachment: file }) => [type, file?.name]),
      [['attachment', 'statement.pdf']],
    )
    const other = await addTicket(person.member)
    assert.equal((await respond(person, other, { type: 'attachment', attachment })).status, 422)
  })

  it('refuses a foreign, unsuitable or used file', async () => {
    const [person, other, foreignMember] = [await enter(), await enter(), await enter(elsewhere)]
    const id = await addTicket(person.member)
    const taken = await addAttachable(system, person.member.memberId)
    await respond(person, await addTicket(person.member), { type: 'attachment', attachment: taken })
    const unknown = await respond(person, id, { type: 'attachment', attachment: newId() })
    for (const attachment of [
      await addAttachable(system, other.member.memberId),
      await addAttachable(elsewhere, foreignMember.member.memberId),
      taken,
    ]) {
      const answer = await respond(person, id, { type: 'attachment', attachment })
      assert.deepEqual([answer.status, answer.body.errors], [422, unknown.body.errors])
    }
    const film = { memberId: person.member.memberId, kind: 'video', name: 'a.mp4', extension: 'mp4' }
    const refused = await respond(person, id, { type: 'attachment', attachment: await addMedia(system, film) })
    assert.match(String(refused.body.error), /^Only the following file types are allowed/)
    assert.equal((await respond(person, id, { type: 'attachment' })).status, 422)
    assert.equal((await respond(person, id, { type: 'message', content: 'x', attachment: taken })).status, 422)
    assert.deepEqual((await see(person, id)).conversation, [])
  })

  it('keeps an attached file from the sweep', async () => {
    const person = await enter()
    const attachment = await addAttachable(system, person.member.memberId)
    await respond(person, await addTicket(person.member), { type: 'attachment', attachment })
    made.context.clock.advance(3 * 86_400_000)
    await sweepUploads(system)
    const stored = await owner.query('select media_id from media where media_id = $1', [attachment])
    assert.equal(stored.rowCount, 1)
  })

  it('answers for another member’s ticket as for an unknown one', async () => {
    const [person, other, foreignMember] = [await enter(), await enter(), await enter(elsewhere)]
    const id = await addTicket(other.member)
    const foreign = await addTicket(foreignMember.member)
    for (const send of [
      (ticket: string) => writeMessage(person, ticket, 'Hello'),
      (ticket: string) => update(person, { _id: ticket, status: 'resolved' }),
      (ticket: string) => update(person, { _id: ticket, priority: 'high' }),
      (ticket: string) => caller.post('/tickets/cp-read', { _id: ticket }, person.token),
    ]) {
      const bare = ({ status, body: { request_id: _, ...body } }: Answered) => [status, body]
      const unknown = bare(await send(newId()))
      assert.equal(unknown[0], 404)
      for (const ticket of [id, foreign]) assert.deepEqual(bare(await send(ticket)), unknown)
    }
    assert.deepEqual((await ask(person, `{ tickets(_id: "${id}") { _id } }`)).data.tickets, [])
  })
})

describe('changing a ticket', () => {
  it('closes, opens and prioritizes it idempotently', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const { ticket } = await see(person, id)
    const closed = await update(person, { _id: id, status: 'resolved' })
    assert.deepEqual(closed.body.msg, [ticketTexts.resolved.replace('{{ticket}}', ticket)])
    assert.equal((await update(person, { _id: id, status: 'resolved' })).status, 200)
    assert.equal((await update(person, { _id: id, status: 'open' })).status, 200)
    const ranked = await update(person, { _id: id, priority: 'high' })
    assert.deepEqual(ranked.body.msg, [ticketTexts.updated.replace('{{ticket}}', ticket)])
    const { status, priority } = await see(person, id)
    assert.deepEqual([status, priority], ['open', 'high'])
  })

  it('marks it as in progress without an assignee; the first answer assigns it', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const stateOf = async () => {
      const { status, taken_by } = await see(person, id)
      return [status, taken_by?.name ?? null]
    }
    for (const status of ['taken', 'open', 'taken', 'resolved', 'taken']) {
      assert.equal((await update(person, { _id: id, status })).status, 200, status)
      assert.deepEqual(await stateOf(), [status, null])
    }
    await replyToTicket(staff, { id, content: 'We look into it.', resolves: false })
    assert.deepEqual(await stateOf(), ['taken', staff.name])
    assert.equal((await update(person, { _id: id, status: 'open' })).status, 409)
  })

  it('cannot unassign it, close it for good or change other fields', async () => {
    const person = await enter()
    const id = await addTicket(person.member)
    const answer = await update(person, { _id: id, status: 'closed' })
    assert.deepEqual([answer.status, answer.body.error], [409, ticketTexts.notUpdated])
    assert.equal((await update(person, { _id: id })).status, 422)
    await update(person, { _id: id, priority: 'low', subject: 'Another', member_id: newId(), taken_by: newId() })
    const { subject, taken_by } = await see(person, id)
    assert.match(subject, /^A question/)
    assert.equal(taken_by, null)
  })
})
