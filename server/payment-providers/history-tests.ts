import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addAmounts, toScale } from '@atrium/contract/money/money.ts'
import fc from 'fast-check'
import { histories } from '../../tests/fixtures/payments/payment-events.ts'
import { openPaymentFixture, type PaymentFixture, readOrder } from '../../tests/fixtures/payments/payment-fixture.ts'
import { type History, isOpenOrder, openHistory } from '../../tests/fixtures/payments/payment-history.ts'
import { approveAll, readIntents } from '../../tests/fixtures/trading/trading-fixture.ts'
import { rejectDeposit } from '../deposits/decision.ts'
import { reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { deskDeposits } from '../funding/desk-transactions.ts'
import { findViolations } from '../funding/ledger.ts'
import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'

/** `ATRIUM_TEST_HISTORY_RUNS=2000` for many; `ATRIUM_TEST_HISTORY_SEED` repeats the run of a reported seed. */
const numRuns = Number(process.env.ATRIUM_TEST_HISTORY_RUNS ?? 8)
const seed = Number(process.env.ATRIUM_TEST_HISTORY_SEED ?? Date.now() % 1e9)

/**
 * For any sequence of webhook events, people, clocks, crashes and platform faults over a handful of orders: the platform
 * credited exactly what our rows show as approved, each once, and nothing without a payment.
 */
export function testHistories(under: ProviderUnderTest): void {
  describe(`${under.uid}: random histories`, () => {
    let setup: PaymentFixture
    let simulator: SimulatorUnderTest
    before(async () => {
      setup = await openPaymentFixture({ writeMs: 150, readMs: 400 })
      simulator = await under.simulatorOf(setup)
    })
    after(() => setup.close())

    it(`every history ends with a balanced ledger, ${numRuns} runs with seed ${seed}`, async () => {
      await fc.assert(
        fc.asyncProperty(histories, async ({ amounts, withManual, events }) => {
          const history = await openHistory(setup, { ...under, simulator }, amounts, withManual)
          for (const event of events) await history.act(event)
          await history.reconcile()
          await mustBeOver(setup, history)
          await mustBeCreditedOnce(setup, history)
          await mustBePaidFor(setup, history)
          assert.deepEqual(await findViolations(setup.system), [])
        }),
        { numRuns, seed, endOnFailure: numRuns > 100 },
      )
    })
  })
}

/** No order is in progress; open deposits are in the desk's list and end with the desk's decision. */
async function mustBeOver(setup: PaymentFixture, history: History): Promise<void> {
  for (const { order } of history.followed) {
    const { state } = await readOrder(setup, order)
    assert.ok(!isOpenOrder(state), `an order is ${state} for ever`)
  }
  for (const { transaction_id: id, state } of await history.transactions()) {
    if (['approved', 'rejected', 'cancelled'].includes(state)) continue
    assert.equal(state, 'pending', 'what is open waits for a person')
    const { deposits } = await deskDeposits.read(setup.staff, { state, q: '', page: 1, limit: 100, order: 'newest' })
    assert.ok(deposits.some((row) => row._id === id))
    const wasApproved = await decideByDesk(setup, id)
    if (!wasApproved) continue
    for (const one of history.followed)
      if ((await readOrder(setup, one.order)).transaction_id === id) one.isJustified = true
  }
  await history.settleAll()
  for (const { state } of await history.transactions()) assert.ok(['approved', 'rejected', 'cancelled'].includes(state))
}

/**
 * Approves the deposit, by two people where the currency has no threshold; rejects it where approval is refused because
 * its payments are decided individually.
 */
async function decideByDesk(setup: PaymentFixture, id: string): Promise<boolean> {
  try {
    await approveAll(setup, id)
    return true
  } catch (problem) {
    if (!(problem instanceof Refusal) || !['illegal_move', 'conflict'].includes(problem.code)) throw problem
    await rejectDeposit(setup.staff, id, { reason: 'payment_not_received' })
    return false
  }
}

/** Compares the platform's ledger with our rows: equal sums, and one deal per tag. */
async function mustBeCreditedOnce(setup: PaymentFixture, history: History): Promise<void> {
  const [, ...deals] = setup.simulator.control.ledger(history.login)
  const approved = (await history.transactions()).filter(({ state }) => state === 'approved')
  const sum = (amounts: string[]) => toScale(amounts.reduce(addAmounts, '0'), history.currency)
  assert.equal(sum(deals.map(({ amount }) => amount)), sum(approved.map(({ amount }) => amount)))
  assert.equal(deals.length, approved.length)
  assert.deepEqual(deals.map(({ deal }) => deal).sort(), approved.map((row) => row.platform_ticket).sort())
  for (const { transaction_id } of approved) {
    const done = (await readIntents(setup, transaction_id)).filter(({ state }) => state === 'done')
    assert.equal(done.length, 1)
  }
}

/** At most one credit per order, and only if the provider or staff reported it as paid. */
async function mustBePaidFor(setup: PaymentFixture, history: History): Promise<void> {
  const references = new Set<string>()
  const transactions = await history.transactions()
  for (const { order, isJustified, wasReportedPaid } of history.followed) {
    const row = await readOrder(setup, order)
    const credited = transactions.find(
      ({ transaction_id: id, state }) => id === row.transaction_id && state === 'approved',
    )
    assert.ok(!credited || isJustified, 'credited, and nobody paid')
    if (wasReportedPaid)
      assert.ok(
        ['paid', 'for_staff'].includes(row.state) || row.staff_reason !== null,
        `paid for, and ${row.state} without a person`,
      )
    if (row.state !== 'paid' || row.reference === null) continue
    assert.ok(!references.has(row.reference), 'one payment paid two orders')
    references.add(row.reference)
  }
  const orders = await reading(setup.system, (tx) =>
    tx
      .selectFrom('deposit_orders')
      .select('transaction_id')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', history.accountId)
      .where('state', '=', 'paid')
      .execute(),
  )
  const ofProvider = transactions.filter((row) => row.state === 'approved' && row.transaction_id !== history.manual)
  assert.ok(ofProvider.length <= orders.length, 'more credits than paid orders')
}
