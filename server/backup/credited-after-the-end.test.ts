// spec: OP backups

/**
 * A payment that ended before the backup and was credited after it got a transaction that the restored database lacks.
 * The next notification creates another one there, although the platform already has the deal.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { backUp, makeArchive, restoreElsewhere } from '../../tests/fixtures/backups.ts'
import {
  type FixtureOrder,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addOpening } from '../../tests/fixtures/trading/platforms.ts'
import { fixtureLogin, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { buildApp } from '../app.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { lockOpening, moveOpening, type Opening } from '../openings/opening.ts'
import { settleOpening } from '../openings/settle.ts'
import { decideException } from '../payments/exceptions/exception-decision.ts'
import { deskExceptions } from '../payments/exceptions/exception-queries.ts'
import { askProvider } from '../payments/reconciliation.ts'

let setup: PaymentFixture
let there: PaymentFixture
let declined: FixtureOrder
let expired: FixtureOrder
let opening: Opening
const place = makeArchive()
const demoGroup = 'demo\\standard-usd'

before(async () => {
  setup = await openPaymentFixture()
  declined = await startOrder(setup, { amount: '41.00' })
  setup.zota.set(declined.attempt, 'DECLINED', 'Insufficient funds')
  await notifyOf(setup, declined)
  expired = await startOrder(setup, { amount: '42.00' })
  setup.context.clock.advance(61 * 60_000)
  await askProvider(setup.system, expired.order)
  opening = await openUnheard()
  for (const { order } of [declined, expired])
    assert.ok(['declined', 'expired'].includes((await readOrder(setup, order)).state))
  const { backup } = await backUp(place.archive, setup)

  for (const { attempt } of [declined, expired]) setup.zota.set(attempt, 'APPROVED')
  await creditAll(setup)
  assert.deepEqual([creditsOn(fixtureLogin), creditsOn(await demoLogin())], [['41.00', '42.00'], ['10000.00']])
  setup.context.clock.advance(10 * 60_000)
  there = await startElsewhere(backup)
})
after(async () => {
  await there.close()
  await setup.close()
  place.remove()
})

/** Opens an account on the platform whose answer was lost. */
async function openUnheard(): Promise<Opening> {
  const { system, member, platformId } = setup
  const id = await addOpening(system, { ...member, platformId, kind: 'demo', group: demoGroup })
  const sent = await inTransaction(system, async (tx) => {
    const ready = await lockOpening(tx, system, id)
    assert.ok(ready)
    const sending = { sent_at: setup.context.clock.now(), currency: 'USD' }
    return moveOpening(tx, system, await moveOpening(tx, system, ready, 'sending', sending), 'unknown')
  })
  const link = await setup.context.platforms.link(system, platformId)
  assert.ok(link)
  await link.gateway.openAccount({
    ...{ tag: sent.tag, kind: 'demo', group: demoGroup, leverage: 100 },
    ...{ mainPassword: 'Tidal-Gauge-71', investorPassword: 'Tidal-Gauge-72' },
    ...{ firstName: 'Mara', lastName: 'Member', email: 'mara@example.com' },
  })
  return sent
}

async function startElsewhere(backup: string): Promise<PaymentFixture> {
  const made = await restoreElsewhere(place.archive, setup, backup)
  made.context.clock.advance(60_000)
  const app = await buildApp(made.context)
  const close = async (): Promise<void> => {
    await app.close()
    await made.close()
  }
  const system = systemActor(made.context, setup.system.workspaceId)
  return { ...setup, ...made, app, close, system, staff: { ...setup.staff, context: made.context } }
}

/** Sends the provider's current notification to this instance. */
async function notifyOf(at: PaymentFixture, { attempt }: FixtureOrder): Promise<void> {
  const { statusCode } = await at.app.inject({
    ...{ method: 'POST', url: '/callbacks/payments/zotapay' },
    headers: { 'content-type': 'application/json' },
    payload: setup.zota.webhookEventOf(attempt),
  })
  assert.equal(statusCode, 200)
  await readWebhookEvents(at)
}

const exceptionOfExpired = async (at: PaymentFixture) => {
  const { cases } = await deskExceptions.read(at.staff, { state: 'waiting', limit: 10 })
  const [asked] = cases
  assert.equal(asked?.order._id, expired.order)
  return asked
}

/** Credits all three: by notification, by a decision of staff, and by an account found. */
async function creditAll(at: PaymentFixture): Promise<void> {
  for (const order of [declined, expired]) await notifyOf(at, order)
  const { _id: id } = await exceptionOfExpired(at)
  await decideException(at.staff, { id, decision: 'credit_paid', note: '', outside_reference: '' })
  await settleOpening(at.system, opening.opening_id)
  for (const { intent_id } of await intentsOf(at)) await settleIntent(at.system, intent_id)
}

const intentsOf = ({ system }: PaymentFixture) =>
  reading(system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .select(['intent_id', 'state', 'last_problem', 'transaction_id'])
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )

const demoLogin = async (): Promise<string> => {
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  const login = await link?.gateway.findAccountByTag(opening.tag, { group: demoGroup })
  assert.ok(login)
  return login
}

const creditsOn = (login: string) =>
  setup.simulator.control
    .ledger(login)
    .map(({ amount }) => amount)
    .filter((amount) => amount !== '1000.00')
    .sort()

test('a restore credits no ended payment again, by notification, by staff or by an account found', async () => {
  await notifyOf(there, expired)
  assert.equal((await exceptionOfExpired(there)).before_restore, true, 'the desk warns staff before they decide')
  await creditAll(there)
  assert.deepEqual(creditsOn(fixtureLogin), ['41.00', '42.00'])
  assert.deepEqual(creditsOn(await demoLogin()), ['10000.00'])
  const intents = await intentsOf(there)
  assert.equal(intents.length, 3)
  for (const { state, last_problem, transaction_id } of intents) {
    assert.equal(state, 'stuck')
    assert.match(last_problem ?? '', /an unknown tag, as operation \d+/)
    assert.equal((await readTransaction(there, transaction_id ?? '')).state, 'checking', 'staff must compare the deal')
  }
})

test('the request time of a transaction is set once and cannot change', async () => {
  const { system } = setup
  const credited = (await readOrder(setup, declined.order)).transaction_id
  const change = (asked_at: Date) =>
    inTransaction(system, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ asked_at })
        .where('workspace_id', '=', system.workspaceId)
        .where('transaction_id', '=', credited)
        .execute(),
    )
  await assert.rejects(change(setup.context.clock.now()), /keeps its amount, currency and account/)
})
