// spec: OP backups

/**
 * Restores the database to ten minutes ago and starts the server on it, while platform and provider have moved on:
 * nothing that they did meanwhile is done a second time.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { fixtureLogin, makePendingDeposit, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { approveDeposit } from '../../deposits/decision.ts'
import { reading } from '../../foundation/database/database.ts'
import { askProvider } from '../../payments/reconciliation.ts'
import { openPlatforms } from '../../trading-platforms/platform-connections.ts'
import { findViolations } from '../ledger.ts'
import { settleIntent } from './crediting.ts'

let setup: PaymentFixture
let owner: pg.Client
before(async () => {
  setup = await openPaymentFixture()
  owner = await setup.openOwner()
})
after(() => setup.close())

async function tables(): Promise<string[]> {
  const found = await owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  return found.rows.map(({ name }) => name)
}

async function backUp(): Promise<void> {
  await owner.query('create schema kept')
  for (const name of await tables()) await owner.query(`create table kept.${name} as table public.${name}`)
}

async function restore(): Promise<void> {
  const names = await tables()
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  await owner.query(`truncate ${names.map((name) => `public.${name}`).join(', ')}`)
  for (const name of names) {
    const columns = await owner.query<{ list: string }>(
      `select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [name],
    )
    const { list } = columns.rows[0] ?? { list: '' }
    await owner.query(`insert into public.${name} (${list}) overriding system value select ${list} from kept.${name}`)
  }
  await owner.query('commit')
}

async function settleAll(): Promise<void> {
  for (let round = 0; round < 30; round++) {
    const open = await reading(setup.system, (tx) =>
      tx
        .selectFrom('platform_intents')
        .select('intent_id')
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('state', 'in', ['ready', 'sending', 'unknown'])
        .execute(),
    )
    for (const { intent_id } of open) await settleIntent(setup.system, intent_id)
    if (open.length === 0) return
    setup.context.clock.advance(20_000)
  }
}

const creditsOn = () => {
  const [, ...deals] = setup.simulator.control.ledger(fixtureLogin)
  return deals.map(({ amount }) => amount).sort()
}

test('a database restored to ten minutes ago credits nothing again', async () => {
  const { zota, staff, system, context } = setup
  const waiting = await makePendingDeposit(setup, '250.00')
  const onItsWay = await makePendingDeposit(setup, '120.50')
  const paying = await startOrder(setup, { amount: '99.99' })
  await approveDeposit(staff, onItsWay)
  await backUp()

  await approveDeposit(staff, waiting)
  zota.set(paying.attempt, 'APPROVED')
  await zota.notify(paying.attempt)
  await readWebhookEvents(setup)
  const later = await startOrder(setup, { amount: '77.00' })
  zota.set(later.attempt, 'APPROVED')
  await zota.notify(later.attempt)
  await readWebhookEvents(setup)
  await settleAll()
  const credited = ['120.50', '250.00', '77.00', '99.99']
  assert.deepEqual(creditsOn(), credited)

  context.clock.advance(10 * 60_000)
  await restore()
  await context.platforms.close()
  context.platforms = openPlatforms(() => context)
  assert.equal((await readTransaction(setup, waiting)).state, 'pending')

  await approveDeposit(staff, waiting)
  for (const attempt of [paying.attempt, later.attempt]) await zota.notify(attempt)
  await readWebhookEvents(setup)
  await askProvider(system, paying.order)
  await settleAll()
  assert.deepEqual(creditsOn(), credited, 'nothing is credited again')

  // The intent whose tag was in the backup finds its deal; the others are stuck until staff compare the deal.
  assert.equal((await readTransaction(setup, onItsWay)).state, 'approved')
  const { transaction_id: paid } = await readOrder(setup, paying.order)
  for (const id of [waiting, paid]) assert.equal((await readTransaction(setup, id)).state, 'checking')
  const stuck = await reading(system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .select(['transaction_id', 'last_problem'])
      .where('workspace_id', '=', system.workspaceId)
      .where('state', '=', 'stuck')
      .execute(),
  )
  assert.deepEqual(stuck.map(({ transaction_id }) => transaction_id).sort(), [waiting, paid].sort())
  for (const { last_problem } of stuck) assert.match(last_problem ?? '', /an unknown tag/)
  // Deals of lost transactions are reported as violations.
  const found = (await findViolations(system)).filter(({ kind }) => kind === 'unknown-on-platform')
  assert.equal(found.length, 3)
})
