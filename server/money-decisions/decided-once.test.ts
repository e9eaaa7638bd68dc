import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { askWithdrawal, debitOne, openWithdrawer, settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { makePendingDeposit, readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, chooseSettings, openTestSession, setIdentity } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'

let setup: ServedFixture
let mine: string
let colleagues: string
before(async () => {
  setup = await openServedFixture()
})
beforeEach(async () => {
  mine = await enter()
  colleagues = await enter()
})
after(() => setup.close())

async function enter(): Promise<string> {
  const { staffId } = await addStaff(setup.system, { role: 'finance' })
  return (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
}
const post = (path: string, body: object, by = mine) => setup.caller.post(`/desk/api/${path}`, body, by)
const keyed = (more: object = {}) => ({ idempotency_key: randomUUID(), ...more })
const auditOf = (id: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('action')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('subject_id', '=', id)
      .where('actor_kind', '=', 'staff')
      .execute(),
  )

test('approves a deposit once for five simultaneous requests with one idempotency key, all answered 200', async () => {
  const id = await makePendingDeposit(setup, '100.00')
  const body = keyed()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => post(`deposits/${id}/approve`, body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual([(await auditOf(id)).length, (await readIntents(setup, id)).length], [1, 1])
  assert.equal((await post(`deposits/${id}/approve`, keyed())).body.code, 'illegal_move')
})

test('a key is valid for one decision of one staff member only', async () => {
  const [id, other] = [await makePendingDeposit(setup, '100.00'), await makePendingDeposit(setup, '100.00')]
  const body = keyed()
  assert.equal((await post(`deposits/${id}/approve`, body)).status, 200)
  assert.equal((await post(`deposits/${other}/approve`, body)).body.code, 'nonce_reused')
  const rejection = { ...body, reason: 'receipt_unreadable' }
  assert.equal((await post(`deposits/${id}/reject`, rejection)).body.code, 'nonce_reused')
  assert.equal((await post(`deposits/${id}/approve`, body, colleagues)).body.code, 'illegal_move')
  assert.equal((await readTransaction(setup, other)).state, 'pending')
})

test('a refused decision does not consume its key', async () => {
  const id = await makePendingDeposit(setup, '100.00')
  const body = keyed()
  await chooseSettings(setup, { deposit_needs_identity_above: [{ currency: 'USD', above: '1' }] })
  await setIdentity(setup.system, setup.member.memberId, 'pending')
  assert.equal((await post(`deposits/${id}/approve`, body)).body.code, 'kyc_required')
  await setIdentity(setup.system, setup.member.memberId, 'approved')
  assert.equal((await post(`deposits/${id}/approve`, body)).status, 200)
})

test('a repeated first approval is not a second one, and later repeats of its key start no new one', async () => {
  await chooseSettings(setup, { withdrawal_four_eyes: true })
  const withdrawer = await openWithdrawer(setup, { balance: '50000.00' })
  const id = await askWithdrawal(withdrawer, '20000.00')
  const body = keyed()
  for (const _again of [1, 2]) {
    const { status, body: said, raw } = await post(`withdrawals/${id}/approve`, body)
    assert.equal(status, 200, raw)
    assert.equal((said.withdrawal as { approvals: number }).approvals, 1)
  }
  assert.equal((await post(`withdrawals/${id}/approve`, keyed(), colleagues)).status, 200)
  assert.equal(await settleLatest(setup, id), 'paying')
  assert.equal((await post(`withdrawals/${id}/approve`, body)).status, 200)
})

test('the same holds for rejections and for marking as paid or failed', async () => {
  const withdrawer = await openWithdrawer(setup, { balance: '50000.00' })
  const pending = await askWithdrawal(withdrawer, '10.00')
  const [paid, failed] = [await debitOne(setup, withdrawer), await debitOne(setup, withdrawer)]
  for (const [path, more] of [
    [`withdrawals/${pending}/reject`, { reason: 'withdrawal_other' }],
    [`withdrawals/${paid}/paid`, { reference: 'SWIFT 1' }],
    [`withdrawals/${failed}/payout-failed`, { note: 'The bank sent it back.' }],
  ] as const) {
    const body = keyed(more)
    const [first, second] = [await post(path, body), await post(path, body)]
    assert.deepEqual([first.status, second.status], [200, 200], `${path} ${first.raw} ${second.raw}`)
    assert.equal((await post(path, { ...body, ...keyed() })).body.code, 'illegal_move', path)
  }
})
