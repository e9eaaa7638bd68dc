// spec: OP faults
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { startZotaSimulator, type ZotaSimulator } from '../../../simulators/zotapay/simulator.ts'
import { eventually } from '../../../tests/doubles/child-server.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startBody,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../../tests/fixtures/payments/payment-providers.ts'
import { debitPayout, latestPayout, openPayee, openTo, type Payee } from '../../../tests/fixtures/payments/payouts.ts'
import { addAccount, addPlatform } from '../../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, chooseSettings, memberActor } from '../../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { makeUniqueToken } from '../../sessions/unique-token.ts'
import { paymentJobs } from '../jobs.ts'
import { processDuePayouts } from '../payouts/process-payout.ts'
import { askAboutDueOrders } from '../reconciliation.ts'
import { startDeposit } from '../start-deposit.ts'
import { openProviders } from './connections.ts'
import { readDeskProvider } from './desk-providers.ts'
import { findProvider } from './provider.ts'

/** More than the queue's workers per job type. */
const manyOrders = 6
const hangingMs = 30_000
/** Longer than any wait in this test, so that no hanging call completes in time. */
const endlessMs = 45_000

let setup: PaymentFixture
let other: { system: System; member: Member; accountId: string; zota: ZotaSimulator }
let payee: Payee

beforeEach(async () => {
  setup = await openPaymentFixture()
  const system = await addWorkspace(setup.context, { subdomain: 'lagoon' })
  const { memberId } = await addMember(system)
  const platformId = await addPlatform(system)
  const accountId = await addAccount(system, { memberId, platformId })
  const merchant = { merchantId: 'ZM2', secretKey: 'zota-secret-0002', endpoints: { '402334': 'USD' } }
  const now = () => setup.context.clock.now()
  const zota = await startZotaSimulator({ ...merchant, now })
  setup.beside.push(zota)
  await addProvider(system, 'zotapay', zota.settings)
  other = { system, member: await memberActor(system, memberId), accountId, zota }
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
})
afterEach(() => setup.close())

async function startElsewhere(): Promise<{ order: string; attempt: string }> {
  const body = await startBody(setup, {
    trading_account: other.accountId,
    nonce_token: await makeUniqueToken(other.member, 'transaction_deposit'),
  })
  const { order } = await startDeposit(other.member, body)
  return { order, attempt: (await readOrder({ ...setup, system: other.system }, order)).attempt }
}

const statesOf = (of: { system: System }, orders: { order: string }[]): Promise<string[]> =>
  Promise.all(orders.map(async ({ order }) => (await readOrder({ ...setup, ...of }, order)).state))

/** Creates paid orders and due payouts at a provider that answers after this delay. */
async function startHanging(slowMs: number) {
  const hung: Awaited<ReturnType<typeof startOrder>>[] = []
  for (let made = 0; made < manyOrders; made++) hung.push(await startOrder(setup))
  const hungPayouts: string[] = []
  for (let made = 0; made < manyOrders; made++) hungPayouts.push(await debitPayout(setup, 'zotapay', payee))
  for (const { attempt } of hung) setup.zota.set(attempt, 'APPROVED')
  return {
    hung,
    hungPayouts,
    /** Queues the hanging calls first, which would occupy every worker that waited for them. */
    async begin(): Promise<void> {
      setup.zota.breakDown({ slowMs })
      setup.context.clock.advance(61_000)
      await processDuePayouts(setup.system)
      await askAboutDueOrders(setup.system)
      await setup.context.jobs.start(paymentJobs(setup.context))
    },
    payoutStates: (): Promise<string[]> =>
      Promise.all(hungPayouts.map(async (id) => (await latestPayout(setup, id)).state)),
  }
}

test('while one provider hangs, payments and webhook events of the others proceed', async () => {
  setup.context.providers = openProviders(() => setup.context, { timeoutMs: endlessMs })
  const { hung, payoutStates, begin } = await startHanging(endlessMs)
  const elsewhere = [await startElsewhere(), await startElsewhere()]
  for (const { attempt } of elsewhere) other.zota.set(attempt, 'APPROVED')
  const beside = () => startOrder(setup, { payment_method: 'safecharge' })
  const [asked, alsoAsked, notified] = [await beside(), await beside(), await beside()]
  for (const { attempt } of [asked, alsoAsked, notified]) setup.safecharge.set(attempt, 'APPROVED')
  await begin()
  await askAboutDueOrders(other.system)
  await setup.safecharge.notify(notified.attempt)
  await eventually('another brokerage is answered by the same provider', async () =>
    (await statesOf(other, elsewhere)).every((state) => state === 'paid'),
  )
  await eventually('another provider of the same brokerage is answered', async () =>
    (await statesOf(setup, [asked, alsoAsked, notified])).every((state) => state === 'paid'),
  )
  // Its own webhook event is unverified: it is stored and waits for a query like the others.
  for (const { attempt } of hung.slice(-1)) assert.equal((await setup.zota.notify(attempt))?.status, 200)
  assert.deepEqual(new Set(await statesOf(setup, hung)), new Set(['handed_over']))
  assert.ok((await payoutStates()).every((state) => state === 'created' || state === 'sending'))
})

test('a hanging provider opens the circuit, members get an immediate error, and no payment counts as refused', async () => {
  setup.context.providers = openProviders(() => setup.context)
  const { hung, hungPayouts, payoutStates, begin } = await startHanging(hangingMs)
  await begin()
  await eventually('its circuit is open', async () => (await readHealth()).is_left_in_peace)
  const known = setup.zota.orders.size
  await assert.rejects(startOrder(setup), { code: 'unavailable', message: /You have not been charged/ })
  assert.equal(setup.zota.orders.size, known)
  // Whatever became of the hanging calls, no payment counts as refused: it was not sent, or is unknown.
  await eventually('the call of every payout has ended', async () =>
    (await payoutStates()).every((state) => state === 'created' || state === 'checking'),
  )
  assert.deepEqual(new Set(await statesOf(setup, hung)), new Set(['handed_over']))

  setup.zota.mend()
  await eventually('a probe closes the circuit', async () => !(await readHealth()).is_left_in_peace)
  await eventually('everything is settled, each once', async () => {
    setup.context.clock.advance(301_000)
    await askAboutDueOrders(setup.system)
    await processDuePayouts(setup.system)
    const states = [...(await statesOf(setup, hung)), ...(await payoutStates())]
    return states.every((state) => state === 'paid' || state === 'accepted')
  })
  const attempts = await Promise.all(hungPayouts.map(async (id) => (await latestPayout(setup, id)).attempt))
  assert.equal(new Set(attempts).size, manyOrders)
})

test('is not probed any more with settings that another process has changed', async () => {
  setup.context.providers = openProviders(() => setup.context, { timeoutMs: 100 })
  setup.zota.breakDown({ slowMs: hangingMs })
  await eventually('its circuit is open', async () => {
    await startOrder(setup).catch(() => undefined)
    return (await readHealth()).is_left_in_peace
  })
  const row = await inTransaction(setup.system, (tx) => findProvider(tx, setup.system, 'zotapay'))
  assert.ok(row)
  const state = () => setup.context.providers.circuitState(setup.system, row.provider_id)
  assert.equal(state()?.isCircuitOpen, true)
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('payment_provider_connections')
      .set({ settings: sql`settings || '{"changed": "yes"}'::jsonb` })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('provider_id', '=', row.provider_id)
      .execute(),
  )
  await eventually('the next probe ends the connection', async () => state() === null)
})

async function readHealth() {
  const row = await inTransaction(setup.system, (tx) => findProvider(tx, setup.system, 'zotapay'))
  assert.ok(row)
  return (await readDeskProvider(setup.staff, row.provider_id)).standing
}
