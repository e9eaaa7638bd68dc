// spec: MP 2.7, MP 3, DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addDocument, addFileCategory, type MadeCategory } from '../../tests/fixtures/documents.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { settleStatuses } from './expiry.ts'

let made: MadeContext
let close: () => Promise<void>
let caller: Caller
let system: System
let host: string
let memberId: string
let token: string
let staffToken: string
let identity: MadeCategory
let address: MadeCategory

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
})
after(() => close())
beforeEach(async () => {
  const subdomain = `categories-${newId().slice(-12)}`
  system = await addWorkspace(made.context, { subdomain })
  host = `${subdomain}.localhost`
  identity = await addFileCategory(system, { name: 'Identity', validDocuments: [{ name: 'Passport', expires: true }] })
  address = await addFileCategory(system, { name: 'Address' })
  memberId = (await addMember(system)).memberId
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
  staffToken = await signInAs('compliance')
})

const send = (method: 'GET' | 'POST', url: string, by: string, payload?: object) =>
  caller.send({ method, url, headers: { authorization: `Bearer ${by}`, host }, ...(payload && { payload }) })
async function signInAs(role: string): Promise<string> {
  const { staffId } = await addStaff(system, { role })
  return (await openTestSession(system, { kind: 'staff', id: staffId })).token
}

/** A KYC document that the member adds and staff approve. */
async function addApproved(category: MadeCategory, given: { expires_on?: string } = {}): Promise<void> {
  const id = await addDocument(system, { memberId, category, ...given })
  assert.equal((await send('POST', `/desk/api/documents/${id}/verify`, staffToken, {})).status, 200)
}

async function readStatus(): Promise<string> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('members')
      .where(here)
      .select('documents_status')
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow(),
  )
  return row.documents_status
}

describe('the categories', () => {
  const post = async (path: string, body: object, role = 'administrator') =>
    send('POST', `/desk/api${path}`, await signInAs(role), body)
  const fields = { description: 'Where your money comes from.', required: true }

  test('are added, changed, reordered and archived, and every member is re-evaluated', async () => {
    await addApproved(identity, { expires_on: '2030-01-31' })
    await addApproved(address)
    assert.equal(await readStatus(), 'approved')
    const wanted = {
      ...fields,
      kyc_category_id: null,
      name: 'Funds',
      valid_documents: [{ name: 'Payslip', expires: false }],
    }
    for (const _ of [1, 2]) assert.equal((await post('/file-categories/add', wanted)).status, 200)
    await settleStatuses(made.context, system.workspaceId)
    assert.equal(await readStatus(), 'pending')
    const { body } = await send('GET', '/desk/api/file-categories', staffToken)
    const categories = body.categories as {
      _id: string
      name: string
      valid_documents: { _id: string; name: string }[]
    }[]
    assert.deepEqual(
      categories.map(({ name }) => name),
      ['Identity', 'Address', 'Funds'],
    )
    const funds = categories[2]
    assert.ok(funds)
    const [payslip] = funds.valid_documents
    const changed = await post(`/file-categories/${funds._id}/change`, {
      ...fields,
      name: 'Source of funds',
      valid_documents: [
        { name: 'Tax return', expires: false },
        { ...payslip, name: 'Payslips', expires: false },
      ],
    })
    assert.equal(changed.status, 200, changed.raw)
    const order = [funds._id, identity.id, address.id]
    assert.equal((await post('/file-categories/order', { kyc_category_id: null, ids: order })).status, 200)
    assert.equal((await post('/file-categories/order', { kyc_category_id: null, ids: [funds._id] })).status, 409)
    // A page that still shows the order before.
    const stale = { kyc_category_id: null, ids: order.toReversed(), seen: [identity.id, address.id, funds._id] }
    assert.equal((await post('/file-categories/order', stale)).status, 409)
    const seen = await send('GET', '/file-categories/cp-search', token)
    assert.deepEqual(
      (seen.body.categories as typeof categories).map(({ name, valid_documents }) => [
        name,
        valid_documents.map((each) => each.name),
      ]),
      [
        ['Source of funds', ['Tax return', 'Payslips']],
        ['Identity', ['Passport']],
        ['Address', ['Utility bill']],
      ],
    )
    assert.equal((await post(`/file-categories/${funds._id}/archive`, { archived: true })).status, 200)
    await settleStatuses(made.context, system.workspaceId)
    assert.equal(await readStatus(), 'approved')
  })

  test('keep a document that a colleague has added since the page was opened', async () => {
    type Seen = { _id: string; revision: string; valid_documents: { _id: string; name: string; archived: boolean }[] }
    const read = async () => {
      const { body } = await send('GET', '/desk/api/file-categories', staffToken)
      return (body.categories as Seen[]).find(({ _id }) => _id === identity.id) as Seen
    }
    const page = await read()
    const stored = page.valid_documents.map(({ _id, name }) => ({ _id, name, expires: true }))
    const change = (valid_documents: object[], seen: string) =>
      post(`/file-categories/${identity.id}/change`, { ...fields, name: 'Identity', valid_documents, seen })
    assert.equal((await change([...stored, { name: 'Identity card', expires: true }], page.revision)).status, 200)
    const stale = await change([...stored, { name: 'Residence permit', expires: true }], page.revision)
    assert.deepEqual([stale.status, stale.body.error], [409, deskTexts.recordChanged])
    const now = await read()
    assert.deepEqual(
      now.valid_documents.map(({ name, archived }) => [name, archived]),
      [
        ['Passport', false],
        ['Identity card', false],
      ],
    )
    assert.equal((await change(stored, now.revision)).status, 200)
  })

  test('can be changed by administrators only, and their names are unique within a set', async () => {
    const wanted = { ...fields, kyc_category_id: null, name: 'Identity', valid_documents: [] }
    assert.equal((await post('/file-categories/add', wanted, 'compliance')).body.code, 'not_permitted')
    const answer = await post('/file-categories/add', wanted)
    assert.deepEqual(answer.body.errors, { name: [deskTexts.categoryNameTaken] })
  })

  test('are at most as many as are required, restored ones included', async () => {
    const archive = (archived: boolean) => post(`/file-categories/${address.id}/archive`, { archived })
    assert.equal((await archive(true)).status, 200)
    for (let count = 1; count < limits.fileCategoriesMax; count += 1) await addFileCategory(system)
    assert.equal((await archive(false)).status, 409)
    assert.equal((await post(`/file-categories/${identity.id}/archive`, { archived: true })).status, 200)
    assert.equal((await archive(false)).status, 200)
  })

  test('a set that has members cannot be archived', async () => {
    assert.equal((await post('/kyc-categories/add', { name: 'Companies' })).status, 200)
    const { body } = await send('GET', '/desk/api/file-categories', staffToken)
    const [set] = body.kyc_categories as { _id: string }[]
    await send('POST', `/desk/api/members/${memberId}/kyc-category`, staffToken, { kyc_category_id: set?._id })
    const change = { name: 'Companies', archived: true }
    assert.equal((await post(`/kyc-categories/${set?._id}/change`, change)).status, 409)
    // Nobody can move an erased member to another set.
    await inTransaction(system, (tx) =>
      tx.updateTable('members').set({ status: 'erased' }).where(here).where('member_id', '=', memberId).execute(),
    )
    assert.equal((await post(`/kyc-categories/${set?._id}/change`, change)).status, 200)
  })

  for (const order of ['the move', 'the archiving'] as const)
    test(`a set is not archived while a member is moved into it, ${order} first`, async () => {
      await post('/kyc-categories/add', { name: 'Companies' })
      const { body } = await send('GET', '/desk/api/file-categories', staffToken)
      const [set] = body.kyc_categories as { _id: string }[]
      const admin = await signInAs('administrator')
      const change = { name: 'Companies', archived: true }
      const calls = [
        () => send('POST', `/desk/api/members/${memberId}/kyc-category`, staffToken, { kyc_category_id: set?._id }),
        () => send('POST', `/desk/api/kyc-categories/${set?._id}/change`, admin, change),
      ]
      if (order === 'the archiving') calls.reverse()
      const [blocker, watcher] = [await made.openOwner(), await made.openOwner()]
      await blocker.query('begin')
      await blocker.query('lock table audit_log in exclusive mode')
      const answers: Promise<Answered>[] = []
      for (const call of calls) {
        answers.push(call())
        await untilWaiting(watcher, answers.length)
      }
      await blocker.query('commit')
      const [first, second] = await Promise.all(answers)
      assert.deepEqual([first?.status, second?.status], [200, order === 'the move' ? 409 : 422])
    })

  test('are not changed without a fresh proof of identity', async () => {
    const unattended = await signInAs('administrator')
    const start = made.context.clock.now()
    made.context.clock.advance(16 * 60_000)
    for (const [path, body] of [
      [`/file-categories/${identity.id}/archive`, { archived: true }],
      ['/kyc-categories/add', { name: 'Companies' }],
    ] as const) {
      const refused = await send('POST', `/desk/api${path}`, unattended, body)
      assert.deepEqual([refused.status, refused.body.code], [403, 'proof_required'], path)
    }
    made.context.clock.set(start)
    assert.equal((await post(`/file-categories/${identity.id}/archive`, { archived: true })).status, 200)
  })

  describe('a set, on a page that shows an earlier state', () => {
    type Set = { _id: string; name: string; archived: boolean; revision: string }
    const sets = async () => (await send('GET', '/desk/api/file-categories', staffToken)).body.kyc_categories as Set[]
    const stale = ({ status, body }: Answered) => [status, body.error]

    test('is neither renamed nor archived over a colleague’s change', async () => {
      await post('/kyc-categories/add', { name: 'Companies' })
      const [shown = assert.fail()] = await sets()
      const change = (name: string, archived: boolean, seen: string) =>
        post(`/kyc-categories/${shown._id}/change`, { name, archived, seen })
      assert.equal((await change('Legal persons', false, shown.revision)).status, 200)
      for (const isArchived of [false, true])
        assert.deepEqual(stale(await change('Firms', isArchived, shown.revision)), [409, deskTexts.recordChanged])
      const [now = assert.fail()] = await sets()
      assert.deepEqual([now.name, now.archived], ['Legal persons', false])
      assert.equal((await change('Firms', true, now.revision)).status, 200)
    })

    test('is not given to a member whom a colleague has moved meanwhile', async () => {
      for (const name of ['Companies', 'Partners']) await post('/kyc-categories/add', { name })
      const [companies, partners] = await sets()
      const move = (kyc_category_id: string | null | undefined, seen: string | null | undefined) =>
        send('POST', `/desk/api/members/${memberId}/kyc-category`, staffToken, { kyc_category_id, seen })
      assert.equal((await move(companies?._id, null)).status, 200)
      assert.deepEqual(stale(await move(partners?._id, null)), [409, deskTexts.memberChangedElsewhere])
      assert.equal((await move(companies?._id, null)).status, 200)
      assert.equal((await move(null, companies?._id)).status, 200)
    })
  })
})
