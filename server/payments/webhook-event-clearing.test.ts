import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import {
  creditsOf,
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readWebhookEvents,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, chooseSettings, memberActor } from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { findProvider } from './connections/provider.ts'
import { readRawWebhookEvent, replayWebhookEvent } from './desk-webhook-events.ts'
import { askProvider } from './reconciliation.ts'
import { keepWebhookEvent } from './webhook-event.ts'
import { clearOldWebhookEvents } from './webhook-event-clearing.ts'

const dayMs = 24 * 60 * 60_000

let setup: PaymentFixture
let other: System
before(async () => {
  setup = await openPaymentFixture()
  other = await addWorkspace(setup.context, { subdomain: 'lagoon' })
  await addProvider(other, 'zotapay', setup.zota.settings)
})
beforeEach(async () => {
  await chooseSettings(setup, { notification_days: 7 })
  await clearOldWebhookEvents(setup.system)
})
after(() => setup.close())

const days = (count: number) => setup.context.clock.advance(count * dayMs)

/** A declined order with its webhook event. */
async function notifyOf(on: PaymentFixture = setup, state = 'DECLINED', overrides = {}) {
  const started = await startOrder(on)
  setup.zota.set(started.attempt, state)
  await sendZotaWebhook(setup, started.attempt, overrides)
  const [webhookEvent] = await listWebhookEvents(setup, started.order)
  assert.ok(webhookEvent)
  return { ...started, id: webhookEvent.notification_id }
}

async function rowOf(id: string) {
  const row = (await listWebhookEvents(setup)).find(({ notification_id }) => notification_id === id)
  assert.ok(row)
  return row
}
const isKept = async (id: string) => {
  const { body, headers, cleared_at } = await rowOf(id)
  const isThere = body.length > 0 && Object.keys(headers as object).length > 0
  assert.equal(isThere, cleared_at === null)
  return isThere
}

describe('a provider webhook event', () => {
  it('is stored unchanged for the configured days; then its body is cleared and the verdict remains', async () => {
    const { id, order } = await notifyOf()
    const came = await rowOf(id)
    assert.ok(came.body.toString('utf8').includes('mara@example.com'))
    days(6)
    assert.equal(await clearOldWebhookEvents(setup.system), 0)
    days(1)
    assert.equal(await clearOldWebhookEvents(setup.system), 1)
    assert.equal(await clearOldWebhookEvents(setup.system), 0)
    const { body, query, headers, cleared_at, ...left } = await rowOf(id)
    assert.deepEqual([body.length, query, headers], [0, '', {}])
    const { body: _body, query: _query, headers: _headers, cleared_at: _at, ...before } = came
    assert.deepEqual(left, before)
    assert.deepEqual([left.verdict, left.outcome, left.order_id], ['unverified', 'applied', order])
    assert.equal(cleared_at?.getTime(), setup.context.clock.now().getTime())
  })

  it('is still recognised when repeated after clearing, and cannot be replayed', async () => {
    const { id, attempt } = await notifyOf(setup, 'APPROVED')
    const credits = await creditsOf(setup)
    days(8)
    await clearOldWebhookEvents(setup.system)
    await sendZotaWebhook(setup, attempt)
    assert.deepEqual([(await rowOf(id)).times, await isKept(id)], [2, false])
    await assert.rejects(replayWebhookEvent(setup.staff, id), {
      code: 'illegal_move',
      message: deskTexts.webhookEventCleared,
    })
    const shown = await readRawWebhookEvent(setup.staff, id)
    assert.deepEqual([shown.raw, shown.cleared_at !== null], ['', true])
    assert.deepEqual(await creditsOf(setup), credits)
  })

  it('is not cleared while it is unread or its payment exception is open', async () => {
    const asked = await notifyOf(setup, 'APPROVED', { amount: '999.00' })
    const unread = await startOrder(setup)
    setup.zota.set(unread.attempt, 'DECLINED')
    await setup.zota.notify(unread.attempt)
    days(30)
    assert.equal(await clearOldWebhookEvents(setup.system), 0)
    assert.equal(await isKept(asked.id), true)
    const waiting = (await listWebhookEvents(setup)).filter(({ verdict }) => verdict === 'unread')
    assert.deepEqual(
      waiting.map(({ body }) => body.length > 0),
      [true],
    )
  })

  it('follows the retention of its own workspace', async () => {
    const provider = await reading(other, (tx) => findProvider(tx, other, 'zotapay'))
    assert.ok(provider)
    const raw = { method: 'POST', query: '', body: Buffer.from('{"customerEmail":"nils@example.com"}'), headers: {} }
    await keepWebhookEvent(other, provider, raw, { address: '203.0.113.9' })
    await readWebhookEvents({ ...setup, system: other })
    days(89)
    assert.equal(await clearOldWebhookEvents(setup.system), 0)
    assert.equal(await clearOldWebhookEvents(other), 0)
    days(1)
    assert.equal(await clearOldWebhookEvents(other), 1)
  })

  it('can only be changed once, by clearing, and never before it was read', async () => {
    const { id } = await notifyOf()
    const set = (values: Parameters<typeof write>[1]) => write(id, values)
    await assert.rejects(set({ body: Buffer.from('x') }), /stays as it came/)
    await assert.rejects(set({ cleared_at: setup.context.clock.now() }), /cleared_is_empty/)
    await assert.rejects(set({ verdict: 'unread', ...emptied() }), /cleared_is_empty/)
    await set(emptied())
    await assert.rejects(set({ verdict: 'unread' }), /cleared_is_empty/)
    await assert.rejects(set({ cleared_at: null }), /cleared once/)
  })
})

const emptied = () => ({ body: Buffer.alloc(0), query: '', headers: '{}', cleared_at: setup.context.clock.now() })

function write(
  id: string,
  values: { body?: Buffer; query?: string; headers?: string; verdict?: string; cleared_at?: Date | null },
) {
  return inTransaction(setup.system, (tx) =>
    tx
      .updateTable('payment_notifications')
      .set(values)
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('notification_id', '=', id)
      .execute(),
  )
}

describe('erasing a member', () => {
  /** A member with an own account and order, which the provider has notified or will notify. */
  async function addPayer() {
    const { memberId } = await addMember(setup.system)
    const member = await memberActor(setup.system, memberId)
    const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
    const on = { ...setup, member, accountId }
    const customer_number = await reading(setup.system, (tx) =>
      tx
        .selectFrom('members')
        .select('customer_number')
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('member_id', '=', memberId)
        .executeTakeFirstOrThrow(),
    ).then((row) => String(row.customer_number))
    return {
      on,
      erase: () => eraseMember(setup.staff, memberId, { reason: 'Asked for it', customer_number }, personalData),
    }
  }

  it('immediately clears the webhook events of their payments and no others', async () => {
    await chooseSettings(setup, {})
    const { on, erase } = await addPayer()
    const theirs = await notifyOf(on)
    const mine = await notifyOf()
    await erase()
    assert.deepEqual([await isKept(theirs.id), await isKept(mine.id)], [false, true])
    assert.equal((await rowOf(theirs.id)).outcome, 'applied')
  })

  it('waits for a locked webhook event, and leaves none', async () => {
    const { on, erase } = await addPayer()
    const [held, free] = [await notifyOf(on), await notifyOf(on)]
    const holder = new pg.Client({ connectionString: setup.ownerUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('select from payment_notifications where notification_id = $1 for update', [held.id])
      const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
      const erased = erase()
      const isWaitedFor = async () => {
        const found = await holder.query(
          'select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid)) and datname = current_database()',
          [rows[0]?.pid],
        )
        return found.rows.length === 1
      }
      await Promise.race([eventually('the erasure waits', isWaitedFor), erased])
      await holder.query('commit')
      await erased
    } finally {
      await holder.end()
    }
    assert.deepEqual([await isKept(held.id), await isKept(free.id)], [false, false])
  })

  it('later webhook events are cleared in the next round, except those of an open payment exception', async () => {
    const { on, erase } = await addPayer()
    const [order, paid] = [await startOrder(on), await startOrder(on)]
    for (const { order: id } of [order, paid]) await end(id)
    setup.zota.set(order.attempt, 'DECLINED')
    await setup.zota.notify(order.attempt)
    await erase()
    setup.zota.set(paid.attempt, 'APPROVED')
    await sendZotaWebhook(setup, paid.attempt)
    const mine = await notifyOf()
    const areKept = async (id: string) => (await listWebhookEvents(setup, id)).map(({ body }) => body.length > 0)
    assert.deepEqual([await areKept(order.order), await areKept(paid.order)], [[true], [true]])
    assert.equal(await clearOldWebhookEvents(setup.system), 1)
    assert.deepEqual([await areKept(order.order), await areKept(paid.order)], [[false], [true]])
    assert.equal(await isKept(mine.id), true)
  })
})

/** Lets the order expire unpaid. */
async function end(orderId: string): Promise<void> {
  setup.context.clock.advance(61 * 60_000)
  await askProvider(setup.system, orderId)
}
