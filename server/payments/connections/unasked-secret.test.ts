// spec: OP operation

/**
 * For a provider without queries and with a changed secret: staff must restore the old secret and replay the
 * webhook events that were signed with it.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startVirtualpaySimulator } from '../../../simulators/virtualpay/simulator.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import {
  addBeside,
  creditsOf,
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { pauseAt } from '../../foundation/failpoint.ts'
import { replayWebhookEvent } from '../desk-webhook-events.ts'
import { askProvider } from '../reconciliation.ts'
import { keepWebhookEvent, readWebhookEvent } from '../webhook-event.ts'
import { findProvider, readConnection } from './provider.ts'

let setup: PaymentFixture
let simulator: Awaited<ReturnType<typeof startVirtualpaySimulator>>
const [old, fresh] = ['virtual-secret-1', 'virtual-secret-2'] as const
const lines: string[] = []

before(async () => {
  setup = await openPaymentFixture({ logLines: lines })
  const starting = startVirtualpaySimulator({ merchantId: 'VPMID1', secretKey: old, separator: '|' })
  simulator = await addBeside(setup, 'virtualpay', starting)
})
after(() => setup.close())

/** Sets the secret as an administrator would. */
async function enterSecret(secretKey: string): Promise<void> {
  const { system } = setup
  await inTransaction(system, async (tx) => {
    const provider_id = (await findProvider(tx, system, 'virtualpay'))?.provider_id ?? ''
    const sealed_secret = system.context.seal.seal(JSON.stringify({ secretKey }))
    await tx
      .updateTable('payment_provider_connections')
      .where(here)
      .set({ sealed_secret })
      .where('provider_id', '=', provider_id)
      .execute()
    assert.equal((await readConnection(tx, system, provider_id))?.secretKey, secretKey)
  })
}

const stateOf = async (order: string) => (await readOrder(setup, order)).state
const verdicts = async () => (await listWebhookEvents(setup)).map(({ verdict }) => verdict)

test('accepts a payment signed with the old secret once staff restore the secret and replay the webhook event', async () => {
  const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay' })
  simulator.set(attempt, 'approved')
  await enterSecret(fresh)
  await simulator.notify(attempt)
  await readWebhookEvents(setup)
  assert.deepEqual(await verdicts(), ['wrong_signature'])
  const page = await setup.context.metrics.registry.metrics()
  assert.match(page, /^atrium_provider_notifications_unproven_total\{provider="virtualpay",why="wrong_signature"\} 1$/m)
  assert.ok(lines.some((line) => line.includes('a webhook event is not proven')))

  await askProvider(setup.system, order)
  assert.equal(await stateOf(order), 'handed_over', 'the provider cannot be queried')
  const [stored] = await listWebhookEvents(setup)
  const read = async () => {
    await replayWebhookEvent(setup.staff, stored?.notification_id ?? '')
    await readWebhookEvents(setup)
  }
  await read()
  assert.equal(await stateOf(order), 'handed_over', 'processed again with the new secret')

  await enterSecret(old)
  await read()
  assert.deepEqual([await verdicts(), await stateOf(order)], [['genuine'], 'paid'])
  await enterSecret(fresh)
  await read()
  assert.equal(await stateOf(order), 'paid')
  const { transaction_id } = await readOrder(setup, order)
  const credits = (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id)
  assert.equal(credits.length, 1, 'and credited once')
})

test('applies a refused payment when the provider repeats it after the secret was corrected', async () => {
  await enterSecret(old)
  const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay' })
  simulator.set(attempt, 'approved')
  await enterSecret(fresh)
  const repeat = async () => {
    const answer = await simulator.notify(attempt)
    await readWebhookEvents(setup)
    const { verdict, times } = (await listWebhookEvents(setup)).at(-1) ?? assert.fail('Not stored.')
    return [answer?.status, verdict, times, await stateOf(order)]
  }
  assert.deepEqual(await repeat(), [401, 'wrong_signature', 1, 'handed_over'])
  assert.deepEqual(await repeat(), [401, 'wrong_signature', 2, 'handed_over'])
  await enterSecret(old)
  assert.deepEqual(await repeat(), [200, 'genuine', 3, 'paid'])
  assert.deepEqual(await repeat(), [200, 'genuine', 4, 'paid'])
  const { transaction_id } = await readOrder(setup, order)
  assert.equal((await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id).length, 1)
})

test('is not refused by a late worker that read it before the secret was corrected and its provider repeated it', async () => {
  await enterSecret(old)
  const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay' })
  simulator.set(attempt, 'approved')
  await enterSecret(fresh)
  await simulator.notify(attempt)
  const { notification_id: id } = (await listWebhookEvents(setup)).at(-1) ?? assert.fail('Not stored.')
  const { reached, resume } = pauseAt('notification.verified')
  const late = readWebhookEvent(setup.system, id)
  await reached
  await readWebhookEvents(setup)
  assert.equal((await verdicts()).at(-1), 'wrong_signature')
  await enterSecret(old)
  await simulator.notify(attempt)
  resume()
  await late
  await readWebhookEvents(setup)
  assert.deepEqual([(await verdicts()).at(-1), await stateOf(order)], ['genuine', 'paid'])
})

test('reads a refused payment again with the headers of the repeat, which is the proven one', async () => {
  const provider = await inTransaction(setup.system, (tx) => findProvider(tx, setup.system, 'virtualpay'))
  assert.ok(provider)
  const raw = { method: 'POST', query: '', headers: {}, body: Buffer.from('order=1'), address: '203.0.113.9' } as const
  const send = async (address: string, isSigned: boolean) => {
    const headers = { 'x-timestamp': address, address }
    await keepWebhookEvent(setup.system, provider, raw, headers, { isSigned })
    return (await listWebhookEvents(setup)).at(-1) ?? assert.fail('Not stored.')
  }
  const first = await send('203.0.113.9', false)
  await readWebhookEvents(setup)
  assert.deepEqual((await send('203.0.113.10', false)).headers, first.headers)
  const repeated = await send('203.0.113.11', true)
  assert.deepEqual(
    [repeated.notification_id, repeated.verdict, repeated.headers],
    [first.notification_id, 'unread', { 'x-timestamp': '203.0.113.11', address: '203.0.113.11' }],
  )
})
