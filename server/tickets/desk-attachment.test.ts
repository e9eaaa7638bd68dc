// spec: AO 3, AO 5, DK tickets
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { eventually } from '../../tests/doubles/child-server.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { makePdf, makePng } from '../../tests/fixtures/sample-files.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  memberActor,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { changeStaffRole, lockStaff } from '../staff/staff.ts'
import { mergeTicket } from './merge.ts'
import { respondToTicket } from './respond.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let colleague: { staffId: string; token: string }

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  colleague = await hire('support')
})
after(() => close())

async function hire(role: string) {
  const { staffId } = await addStaff(system, { role })
  return { staffId, token: (await openTestSession(system, { kind: 'staff', id: staffId })).token }
}

async function enter(): Promise<{ member: Member; token: string; email: string }> {
  const { memberId, email } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  return { member: await memberActor(system, memberId), token, email }
}

type Sent = { name?: string; content?: Buffer; token?: string }

async function attach(id: string, { name = 'form.pdf', content = makePdf(), token }: Sent = {}): Promise<Answered> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const packed = new Request('http://localhost', { method: 'POST', body: form })
  return caller.send({
    method: 'POST',
    url: `/desk/api/tickets/${id}/attach`,
    payload: Buffer.from(await packed.arrayBuffer()),
    headers: {
      'content-type': packed.headers.get('content-type') ?? '',
      authorization: `Bearer ${token ?? colleague.token}`,
    },
  })
}

/** An attachment whose end arrives only with `finish`. */
function begin(id: string, token: string) {
  const body = new Readable({ read: () => undefined })
  const content = makePdf()
  body.push('--x\r\ncontent-disposition: form-data; name="file"; filename="form.pdf"\r\n\r\n')
  body.push(content.subarray(0, 20))
  const headers = { 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${token}` }
  const answer = caller.send({ method: 'POST', url: `/desk/api/tickets/${id}/attach`, payload: body, headers })
  const finish = () => {
    for (const part of [content.subarray(20), '\r\n--x--\r\n', null]) body.push(part)
    return answer
  }
  return { finish }
}
const untilArriving = (count: number) =>
  eventually(`${count} arrive`, async () => readdirSync(join(made.folder, 'incoming')).length === count)

const mediaOf = ({ memberId }: Member) =>
  reading(system, (tx) => tx.selectFrom('media').where(here).selectAll().where('member_id', '=', memberId).execute())
async function filesThere(): Promise<number> {
  let count = 0
  for await (const _ of made.context.files.list(system.workspaceId)) count += 1
  return count
}

describe('an attachment of staff', () => {
  it('appears in the conversation, notifies the member and assigns the ticket', async () => {
    const { member, token, email } = await enter()
    const id = await addTicket(member)
    const answer = await attach(id, { name: '../form\u202e.png', content: makePng() })
    assert.equal(answer.status, 200, answer.raw)
    const { state, taken_by, conversation } = answer.body.ticket as DeskTicket
    assert.deepEqual([state, taken_by?._id], ['taken', colleague.staffId])
    assert.equal(conversation.length, 1)
    assert.equal(conversation[0]?.attachment?.name, 'form.png')
    const query = '{ tickets { is_unread conversation { is_staff attachment { name url } } } }'
    const seen = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
    type Entry = { is_staff: boolean; attachment: { name: string; url: string } }
    const [ticket] = (seen.body.data as { tickets: { is_unread: boolean; conversation: Entry[] }[] }).tickets
    assert.deepEqual([ticket?.is_unread, ticket?.conversation[0]?.is_staff], [true, true])
    const url = `/cp${ticket?.conversation[0]?.attachment.url}`
    const other = await enter()
    assert.deepEqual(
      [
        (await caller.get(url, token)).status,
        (await caller.get(url, colleague.token)).status,
        (await caller.get(url, other.token)).status,
        (await caller.get(url)).status,
      ],
      [200, 200, 404, 401],
    )
    assert.equal((await mailsTo(system, email)).length, 1)
  })

  it('is one file and one message when sent twice', async () => {
    const { member, email } = await enter()
    const id = await addTicket(member)
    await attach(id)
    const files = await filesThere()
    const again = await attach(id)
    assert.equal((again.body.ticket as DeskTicket).conversation.length, 1)
    assert.deepEqual([(await mediaOf(member)).length, await filesThere()], [1, files])
    assert.equal((await mailsTo(system, email)).length, 1)
  })

  it('cannot be attached elsewhere by its member', async () => {
    const { member } = await enter()
    const id = await addTicket(member)
    await attach(id)
    const [row] = await mediaOf(member)
    const other = await addTicket(member)
    await assert.rejects(respondToTicket(member, other, { type: 'attachment', attachment: row?.media_id }), {
      code: 'invalid_input',
    })
  })

  it('accepts the file types of tickets by content, and stores nothing otherwise', async () => {
    const { member } = await enter()
    const id = await addTicket(member)
    const files = await filesThere()
    for (const wrong of [
      { name: 'setup.exe', content: Buffer.from('MZ') },
      { name: 'form.pdf', content: Buffer.from('<script>alert(1)</script>') },
      { name: 'form.svg', content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { name: 'form.pdf', content: Buffer.alloc(0) },
    ]) {
      const answer = await attach(id, wrong)
      assert.equal(answer.status, 422, answer.raw)
      assert.ok((answer.body.errors as Record<string, string[]>).file)
    }
    assert.deepEqual([(await mediaOf(member)).length, await filesThere()], [0, files])
  })

  it('refuses viewers, merged tickets, and tickets that are foreign or unknown', async () => {
    const { member } = await enter()
    const id = await addTicket(member)
    const files = await filesThere()
    const viewer = await hire('viewer')
    assert.equal((await attach(id, { token: viewer.token })).status, 403)
    const into = await addTicket(member)
    const staff = staffActor(system, await addStaff(system))
    await mergeTicket(staff, id, into)
    const merged = await attach(id)
    assert.equal(merged.status, 409, merged.raw)
    assert.ok(String(merged.body.error).startsWith(ticketTexts.goesOn.split('{{')[0] ?? ''))
    const elsewhere = await addWorkspace(made.context)
    const { memberId } = await addMember(elsewhere)
    const foreign = await addTicket(await memberActor(elsewhere, memberId))
    for (const unknown of [foreign, newId()]) assert.equal((await attach(unknown)).status, 404)
    assert.deepEqual([(await mediaOf(member)).length, await filesThere()], [0, files])
  })

  for (const [whom, lose] of [
    ['was locked', (id: string) => lockStaff(system, id)],
    ['lost the right', (id: string) => changeStaffRole(system, id, 'viewer')],
  ] as const)
    it(`is refused if its sender ${whom} while it arrived`, async () => {
      const { member, email } = await enter()
      const { staffId, token } = await hire('support')
      const slow = begin(await addTicket(member), token)
      await untilArriving(1)
      await lose(staffId)
      assert.ok([401, 403].includes((await slow.finish()).status))
      assert.deepEqual([(await mediaOf(member)).length, (await mailsTo(system, email)).length], [0, 0])
    })

  it('waits for no colleague whose connection is slow', async () => {
    const { member } = await enter()
    const slow = [begin(await addTicket(member), colleague.token), begin(await addTicket(member), colleague.token)]
    await untilArriving(2)
    let isAnswered = false
    const quick = attach(await addTicket(member), { token: (await hire('support')).token }).finally(() => {
      isAnswered = true
    })
    try {
      await eventually('the quick one is answered', async () => isAnswered, 100)
    } finally {
      for (const { finish } of slow) assert.equal((await finish()).status, 200)
      assert.equal((await quick).status, 200)
    }
  })
})
