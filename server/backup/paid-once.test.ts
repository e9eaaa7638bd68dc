import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { backUp, makeArchive, restoreElsewhere } from '../../tests/fixtures/backups.ts'
import { openPaymentFloor, type PaymentFloor, readNotifications } from '../../tests/fixtures/payment-fixture.ts'
import {
  askPayout,
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  readPayouts,
  visitLatest,
} from '../../tests/fixtures/payouts.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading-fixture.ts'
import { settleLatest } from '../../tests/fixtures/withdrawals.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { readDeskWithdrawal } from '../funding/desk-withdrawals.ts'
import { markPaidOut } from '../funding/payout.ts'
import { approveWithdrawal } from '../funding/withdrawal-decision.ts'
import { payByProvider } from '../payment-providers/payout-decision.ts'
import { applyPayoutReport } from '../payment-providers/payout-settle.ts'
import { visitDuePayouts } from '../payment-providers/payout-visit.ts'

/**
 * A machine is lost, its last backup is some minutes old, and the provider has paid meanwhile what it has forgotten. Each
 * withdrawal is called by where it stood when the backup was made.
 */
let floor: PaymentFloor
let there: PaymentFloor
let payee: Payee
let withdrawals: Record<'debiting' | 'created' | 'told' | 'differing' | 'untouched' | 'accepted' | 'waiting', string>
const place = makeArchive()
before(async () => {
  floor = await openPaymentFloor()
  await chooseSettings(floor, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
  payee = await openPayee(floor, 'zotapay', { balance: '100000.00' })
  const [created, told, differing] = [await debited(), await debited(), await debited()]
  const [untouched, accepted] = [await debited(), await debited()]
  await visitLatest(floor, accepted)
  const debiting = await askPayout('zotapay', payee)
  await approveWithdrawal(floor.staff, debiting)
  const waiting = await debited()
  await visitLatest(floor, waiting)
  assert.deepEqual(await tellPaid(floor, waiting, '1.00'), { outcome: 'for_staff', why: 'amount_differs' })
  assert.equal((await readDeskWithdrawal(floor.staff, waiting)).before_restore, false)
  withdrawals = { debiting, created, told, differing, untouched, accepted, waiting }
  const { backup } = await backUp(place.archive, floor)
  await payHere(created)
  await payHere(told)
  await settleLatest(floor, debiting)
  await payHere(debiting)
  await declineHere(accepted)
  await markPaidOut(floor.staff, waiting, 'paid by hand')
  floor.ground.clock.advance(10 * 60_000)
  there = await startElsewhere(backup)
})
after(async () => {
  await there.close()
  await floor.close()
  place.remove()
})

const debited = () => debitPayout(floor, 'zotapay', payee)

async function startElsewhere(backup: string): Promise<PaymentFloor> {
  const made = await restoreElsewhere(place.archive, floor, backup)
  made.ground.config.port = floor.ground.config.port
  made.ground.clock.advance(60_000)
  const system = systemActor(made.ground, floor.system.workspaceId)
  const [member, staff] = [
    { ...floor.member, ground: made.ground },
    { ...floor.staff, ground: made.ground },
  ]
  return { ...floor, ...made, system, member, staff }
}

async function payHere(id: string): Promise<void> {
  await visitLatest(floor, id)
  const { attempt } = await latestPayout(floor, id)
  floor.zota.set(attempt, 'APPROVED')
  await floor.zota.notify(attempt)
  await readNotifications(floor)
  await visitLatest(floor, id)
  assert.equal((await readTransaction(floor, id)).state, 'approved')
}

async function declineHere(id: string): Promise<void> {
  floor.zota.set((await latestPayout(floor, id)).attempt, 'DECLINED', 'Account closed')
  assert.equal(await visitLatest(floor, id), 'declined')
  assert.equal(await settleLatest(floor, id), 'rejected')
}

test('M15: what was being debited, and was paid since, is paid again by nobody until staff have looked', async () => {
  const { debiting } = withdrawals
  const calls = floor.zota.payoutCalls()
  assert.equal((await readTransaction(there, debiting)).state, 'debiting')
  assert.equal(await settleLatest(there, debiting), 'paying', 'the debit is found by its tag')
  assert.deepEqual(await readPayouts(there, debiting), [])
  assert.equal(floor.zota.payoutCalls(), calls)

  await payByProvider(there.staff, debiting)
  assert.equal(await visitLatest(there, debiting), 'accepted', 'what staff start is sent')
})

test('M15: the notification of a payment that is forgotten here settles it, and bothers nobody', async () => {
  // Whether or not the provider could be asked: a word that came once does not come again.
  assert.deepEqual(await tellPaid(there, withdrawals.told, '250.00'), { outcome: 'applied' })
  assert.equal((await latestPayout(there, withdrawals.told)).state, 'paid')
  assert.equal((await readTransaction(there, withdrawals.told)).state, 'approved')
})

test('M15: and where it tells of another amount, staff see that it was paid', async () => {
  assert.deepEqual(await tellPaid(there, withdrawals.differing, '1.00'), {
    outcome: 'for_staff',
    why: 'amount_differs',
  })
  const { state, staff_reason } = await latestPayout(there, withdrawals.differing)
  assert.deepEqual([state, staff_reason], ['for_staff', 'amount_differs'])
})

async function tellPaid(where: PaymentFloor, id: string, amount: string) {
  const { payout_id, attempt } = await latestPayout(where, id)
  const reported = { attempt, reference: null, state: 'paid', amount, currency: 'USD' } as const
  const report = { ...reported, reason: null, word: 'APPROVED' }
  return inTransaction(where.system, (tx) => applyPayoutReport(tx, where.system, payout_id, report))
}

test('M15: a payout that was about to be sent is asked about, and never sent', async () => {
  const { created, untouched } = withdrawals
  const calls = floor.zota.payoutCalls()
  for (const id of [created, untouched]) assert.equal((await latestPayout(there, id)).state, 'created')
  assert.ok((await visitDuePayouts(there.system)) >= 2)
  assert.equal(await visitLatest(there, created), 'paid', 'the provider has it under its name')
  assert.equal((await readTransaction(there, created)).state, 'approved')

  assert.equal(await visitLatest(there, untouched), 'checking')
  there.ground.clock.advance(31 * 60_000)
  assert.equal(await visitLatest(there, untouched), 'for_staff')
  assert.equal((await latestPayout(there, untouched)).staff_reason, 'not_known')
  assert.equal(floor.zota.payoutCalls(), calls)
})

test('M15: what the provider declined is given back by staff alone, since that may have been done', async () => {
  const { accepted } = withdrawals
  assert.equal(await visitLatest(there, accepted), 'for_staff')
  assert.equal((await latestPayout(there, accepted)).staff_reason, 'restored')
  assert.equal((await readTransaction(there, accepted)).state, 'paying')
  assert.equal((await readIntents(there, accepted)).length, 1, 'nothing that would give it back')
})

test('M15: what waited for staff already, and was paid by hand since, says so until it is decided', async () => {
  const { waiting } = withdrawals
  const read = () => readDeskWithdrawal(there.staff, waiting)
  const { state, payouts, before_restore } = await read()
  assert.deepEqual([state, payouts[0]?.state, payouts[0]?.why], ['paying', 'for_staff', 'amount_differs'])
  assert.equal(before_restore, true)
  await markPaidOut(there.staff, waiting, 'paid by hand')
  const decided = await read()
  assert.deepEqual([decided.state, decided.before_restore], ['approved', false])
})

test('what is asked for after a restore is paid as ever', async () => {
  const id = await askPayout('zotapay', { ...payee, member: { ...payee.member, ground: there.ground } })
  await approveWithdrawal(there.staff, id)
  await settleLatest(there, id)
  assert.equal((await readDeskWithdrawal(there.staff, id)).before_restore, false)
  assert.equal(await visitLatest(there, id), 'accepted')
})
