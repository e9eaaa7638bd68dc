// spec: OP operation

/**
 * The desk of one process changes a provider's secret while another process runs: both use the new one immediately,
 * without a restart. Messages still signed with the old one are stored but not trusted, and their outcome is found by a
 * query.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ChildServer, eventually } from '../../../tests/doubles/child-server.ts'
import { startServerOn } from '../../../tests/doubles/killed-server.ts'
import {
  listWebhookEvents,
  openPayer,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startBody,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { addStaff, openTestSession } from '../../../tests/fixtures/workspaces.ts'
import { reading } from '../../foundation/database/database.ts'
import { askProvider } from '../reconciliation.ts'
import { findProvider } from './provider.ts'

let setup: PaymentFixture
let servers: [ChildServer, ChildServer]
let tokens: { member: string; staff: string }
let providerId: string

before(async () => {
  setup = await openPaymentFixture({ startAt: new Date() }) // Both processes use real time.
  const { staffId } = await addStaff(setup.system, { role: 'administrator' })
  const staff = await openTestSession(setup.system, { kind: 'staff', id: staffId })
  tokens = { member: (await openPayer(setup)).token, staff: staff.token }
  providerId = (await reading(setup.system, (tx) => findProvider(tx, setup.system, 'zotapay')))?.provider_id ?? ''
  const start = () => startServerOn(setup)
  servers = [await start(), await start()]
})
after(async () => {
  for (const server of servers ?? []) await server.stop()
  await setup.close()
})

type Answer = { status: number; body: Record<string, unknown> }

async function ask({ url }: ChildServer, path: string, token: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** A member starts a payment at that process, which makes a signed call to the provider. */
const pay = async (server: ChildServer): Promise<Answer> =>
  ask(server, '/customers/trading-accounts/start-deposit', tokens.member, await startBody(setup))

async function started(server: ChildServer): Promise<{ order: string; attempt: string }> {
  const { status, body } = await pay(server)
  assert.equal(status, 200, JSON.stringify(body))
  const order = String(body.order)
  return { order, attempt: (await readOrder(setup, order)).attempt }
}

/** The provider notifies that process of a payment, signed with one of the secrets. */
async function sendWebhook({ url }: ChildServer, attempt: string, secretKey: string): Promise<void> {
  const body = setup.zota.webhookEventOf(attempt, { secretKey })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/callbacks/payments/zotapay`, { method: 'POST', headers, body })
  assert.ok(answer.status < 500, String(answer.status))
}

const stateOf = async (order: string) => (await readOrder(setup, order)).state

async function changeAtDesk(server: ChildServer, secretKey: string): Promise<void> {
  const { body } = await ask(server, `/desk/api/providers/${providerId}`, tokens.staff)
  const { version, settings } = body.provider as { version: number; settings: { name: string; value: string | null }[] }
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value ?? '']))
  const changed = { version, settings: { ...values, secretKey } }
  const { status } = await ask(server, `/desk/api/providers/${providerId}/connection`, tokens.staff, changed)
  assert.equal(status, 200)
}

const old = 'zota-secret-0001'
const fresh = 'zota-secret-0002'

test('both processes use the new secret immediately, and payments signed with the old one are found by a query', async () => {
  const [here, there] = servers
  const [notified, found] = [await started(here), await started(there)]
  // Each process has used the old secret before.
  for (const server of servers) {
    const { order, attempt } = await started(server)
    setup.zota.set(attempt, 'APPROVED')
    await sendWebhook(server, attempt, old)
    await eventually('the order is paid', async () => (await stateOf(order)) === 'paid')
  }

  setup.zota.changeSecret(fresh)
  for (const server of servers) assert.notEqual((await pay(server)).status, 200, 'not changed here yet')
  await changeAtDesk(here, fresh)
  for (const server of [there, here]) await started(server)

  for (const { attempt } of [notified, found]) setup.zota.set(attempt, 'APPROVED')
  for (const { attempt } of [notified, found]) await sendWebhook(there, attempt, old)
  await eventually('all webhook events were read', async () =>
    (await listWebhookEvents(setup)).every(({ verdict }) => verdict !== 'unread'),
  )
  assert.deepEqual(
    (await listWebhookEvents(setup)).map(({ verdict }) => verdict),
    ['unverified', 'unverified', 'wrong_signature', 'wrong_signature'],
  )

  // Both processes verify with the new one.
  for (const server of [there, here]) await sendWebhook(server, notified.attempt, fresh)
  await eventually(
    'the event signed with the new secret is accepted',
    async () => (await stateOf(notified.order)) === 'paid',
  )
  await askProvider(setup.system, found.order)
  assert.equal(await stateOf(found.order), 'paid')
})
