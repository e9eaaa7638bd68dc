// spec: OP backups

/** Without any webhook event, queries find every event at the providers within ten minutes (M15). */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, openTo } from '../../tests/fixtures/payments/payouts.ts'
import { settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { findViolations } from '../funding/ledger.ts'
import type { Queue } from '../queue/jobs.ts'
import { processDuePayouts, processPayout } from './payouts/process-payout.ts'
import { askAboutDueOrders, askProvider } from './reconciliation.ts'

let setup: PaymentFixture
before(async () => {
  setup = await openPaymentFixture()
})
after(() => setup.close())

const minuteMs = 60_000
const foundWithinMs = 10 * minuteMs
/** Minutes from start to payment: immediately, between queries, and shortly before the order expires. */
const paidAfterMinutes = [0, 1, 2, 4, 7, 11, 19, 28, 37, 44, 49]
const handled = new Set<string>()

/** The jobs added to a queue since the last call. */
async function takeJobs(queue: Queue): Promise<string[]> {
  const { rows } = await setup.context.database.pool.query<{ job: string; about: string }>(
    `select id::text as job, data ->> 'id' as about from pgboss.job where name = $1 order by created_on, id`,
    [queue],
  )
  const fresh = rows.filter(({ job }) => !handled.has(job))
  for (const { job } of fresh) handled.add(job)
  return fresh.map(({ about }) => about)
}

/** Runs the jobs that one minute of rounds creates, and nothing else. */
async function passMinute(): Promise<void> {
  const { system, context } = setup
  context.clock.advance(minuteMs)
  await askAboutDueOrders(system)
  for (const id of await takeJobs('payments.ask-provider')) await askProvider(system, id)
  await processDuePayouts(system)
  for (const id of await takeJobs('payments.visit-payout')) await processPayout(system, id)
  await settleDue()
}

async function settleDue(): Promise<void> {
  const due = await reading(setup.system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .select('intent_id')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('state', 'in', ['ready', 'sending', 'unknown'])
      .execute(),
  )
  for (const { intent_id } of due) await settleIntent(setup.system, intent_id)
}

const nowMs = (): number => setup.context.clock.now().getTime()
const webhookEventsCount = () =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('payment_notifications')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('workspace_id', '=', setup.system.workspaceId)
      .executeTakeFirstOrThrow(),
  )

test('a deposit with a lost webhook event is credited once, within ten minutes of its payment', async () => {
  const followed: { payment_method: string; order: string; attempt: string; payAt: number; foundAfterMs: number }[] = []
  for (const payment_method of ['zotapay', 'safecharge'] as const)
    for (const [index, minutes] of paidAfterMinutes.entries()) {
      const amount = `${100 + index}.0${payment_method.length % 10}`
      const { order, attempt } = await startOrder(setup, { payment_method, amount })
      followed.push({ payment_method, order, attempt, payAt: nowMs() + minutes * minuteMs, foundAfterMs: Number.NaN })
    }
  const open = () => followed.filter(({ foundAfterMs }) => Number.isNaN(foundAfterMs))
  const isPaid = new Set<string>()
  for (let minute = 0; minute < 70 && open().length > 0; minute += 1) {
    for (const { payment_method, attempt, payAt } of open()) {
      if (payAt > nowMs() || isPaid.has(attempt)) continue
      setup[payment_method === 'zotapay' ? 'zota' : 'safecharge'].set(attempt, 'APPROVED')
      isPaid.add(attempt)
    }
    await passMinute()
    for (const one of open()) {
      const { transaction_id } = await readOrder(setup, one.order)
      if ((await readTransaction(setup, transaction_id)).state === 'approved') one.foundAfterMs = nowMs() - one.payAt
    }
  }
  assert.deepEqual(open(), [])
  for (const { foundAfterMs, payAt } of followed)
    assert.ok(foundAfterMs <= foundWithinMs, `paid at ${new Date(payAt).toISOString()}, found after ${foundAfterMs} ms`)
  const [, ...deals] = setup.simulator.control.ledger('700123')
  assert.equal(deals.length, followed.length)
  assert.deepEqual(await webhookEventsCount(), { count: '0' })
  assert.deepEqual(await findViolations(setup.system), [])
})

test('a payout with a lost webhook event is completed or reversed within ten minutes', async () => {
  await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
  const payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
  const followed: { id: string; happensAt: number; word: string; knownAfterMs: number }[] = []
  for (const [index, minutes] of paidAfterMinutes.entries()) {
    const id = await debitPayout(setup, 'zotapay', payee, `${100 + index}.00`)
    const word = index % 2 === 0 ? 'APPROVED' : 'DECLINED'
    followed.push({ id, happensAt: nowMs() + minutes * minuteMs, word, knownAfterMs: Number.NaN })
  }
  const open = () => followed.filter(({ knownAfterMs }) => Number.isNaN(knownAfterMs))
  const hasHappened = new Set<string>()
  for (let minute = 0; minute < 90 && open().length > 0; minute += 1) {
    for (const { id, happensAt, word } of open()) {
      const { attempt, state } = await latestPayout(setup, id)
      if (happensAt > nowMs() || hasHappened.has(id) || state !== 'accepted') continue
      setup.zota.set(attempt, word)
      hasHappened.add(id)
    }
    await passMinute()
    for (const one of open()) {
      if ((await readTransaction(setup, one.id)).state === 'returning') await settleLatest(setup, one.id)
      const { state } = await readTransaction(setup, one.id)
      if (state === 'approved' || state === 'rejected') one.knownAfterMs = nowMs() - one.happensAt
    }
  }
  assert.deepEqual(open(), [])
  for (const { id, word, knownAfterMs } of followed) {
    assert.equal((await readTransaction(setup, id)).state, word === 'APPROVED' ? 'approved' : 'rejected')
    // The first payouts are sent within the first minute, so their outcome starts later.
    assert.ok(knownAfterMs <= foundWithinMs + minuteMs, `${word} was known after ${knownAfterMs} ms`)
  }
  assert.deepEqual(await webhookEventsCount(), { count: '0' })
  assert.deepEqual(await findViolations(setup.system), [])
})
