import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startVirtualpaySimulator } from '../../simulators/virtualpay/simulator.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import {
  addBeside,
  creditsOf,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { openTestSession } from '../../tests/fixtures/workspaces.ts'

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('|')).digest('base64')
const virtual = { merchantId: 'VPMID1', secretKey: 'virtual-secret-1' }

describe('JSON numbers keep their spelling until they are validated', () => {
  let setup: PaymentFixture
  let caller: Caller
  let token: string
  before(async () => {
    setup = await openPaymentFixture()
    await addBeside(setup, 'virtualpay', startVirtualpaySimulator({ ...virtual, separator: '|' }))
    caller = callerOf(setup.app)
    token = (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token
  })
  after(() => setup.close())

  /** VirtualPay's message with its amount as a JSON number, signed over its literal text. */
  async function notifyVirtualpay(attempt: string, amount: string, mark = ''): Promise<number> {
    const said = { requestID: attempt, merchantID: virtual.merchantId, transactionID: `VP${attempt}` }
    const checksum = sha256(...Object.values(said), amount, 'USD', 'approved', virtual.secretKey)
    const rest = JSON.stringify({ ...said, currency: 'USD', status: 'approved', checksum })
    const { status } = await caller.send({
      method: 'POST',
      url: '/callbacks/payments/virtualpay',
      headers: { host: 'localhost', 'content-type': 'application/json' },
      payload: `${mark}{"amount":${amount},${rest.slice(1)}`,
    })
    await readWebhookEvents(setup)
    return status
  }

  for (const [agreed, amount, state] of [
    ['102.72', '102.72', 'paid'],
    ['102.70', '102.70', 'paid'],
    ['100.00', '100', 'paid'],
    ['100.00', '1e2', 'handed_over'],
    ['100.00', '100.000000000000001', 'handed_over'],
  ] as const)
    it(`leaves an order of ${agreed} ${state} when VirtualPay signs the number ${amount}`, async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay', amount: agreed })
      // A number that is not an amount in its literal spelling makes the message unreadable.
      assert.equal(await notifyVirtualpay(attempt, amount), state === 'paid' ? 200 : 400)
      assert.equal((await readOrder(setup, order)).state, state)
    })

  it('reads messages of VirtualPay and Zota that start with a UTF-8 BOM', async () => {
    const one = await startOrder(setup, { payment_method: 'virtualpay', amount: '100.00' })
    assert.equal(await notifyVirtualpay(one.attempt, '100.00', '\uFEFF'), 200)
    assert.equal((await readOrder(setup, one.order)).state, 'paid')
    const other = await startOrder(setup)
    setup.zota.set(other.attempt, 'APPROVED')
    const payload = `\uFEFF${setup.zota.webhookEventOf(other.attempt)}`
    const headers = { host: 'localhost', 'content-type': 'application/json' }
    const { status } = await caller.send({ method: 'POST', url: '/callbacks/payments/zotapay', headers, payload })
    await readWebhookEvents(setup)
    assert.deepEqual([status, (await readOrder(setup, other.order)).state], [200, 'paid'])
  })

  async function posted(amount: string, mark = '') {
    const { amount: _amount, ...rest } = await startBody(setup)
    return caller.send({
      method: 'POST',
      url: '/customers/trading-accounts/start-deposit',
      headers: { host: 'localhost', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload: `${mark}{"amount":${amount},${JSON.stringify(rest).slice(1)}`,
    })
  }

  for (const amount of ['1e2', '1E2', '100.000000000000001', '1.0e2', '100.001', '-0'])
    it(`refuses a deposit of ${amount} as a number`, async () => {
      const before = (await creditsOf(setup)).length
      assert.equal((await posted(amount)).status, 422)
      assert.equal((await creditsOf(setup)).length, before)
    })

  for (const amount of ['100.10', '100.1', '100', '100.0'])
    it(`stores a deposit of ${amount} as a number exactly`, async () => {
      const answer = await posted(amount)
      assert.equal(answer.status, 200)
      const { order } = answer.body as { order: string }
      assert.equal((await readOrder(setup, order)).amount, Number(amount) === 100 ? '100.00' : '100.10')
    })

  it('reads a REST call with a leading UTF-8 BOM', async () => {
    assert.equal((await posted('100.10', '\uFEFF')).status, 200)
  })

  it('still refuses everything that the parser refused before', async () => {
    const headers = { host: 'localhost', 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const url = '/customers/trading-accounts/start-deposit'
    for (const payload of ['{"amount":100,"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"amount":1', ''])
      assert.equal((await caller.send({ method: 'POST', url, headers, payload })).status, 400, payload)
    // For a duplicate name the last value counts, and so does its spelling.
    const { amount: _amount, ...rest } = await startBody(setup)
    const twice = `{"amount":5,"amount":1e2,${JSON.stringify(rest).slice(1)}`
    assert.equal((await caller.send({ method: 'POST', url, headers, payload: twice })).status, 422)
  })

  it('validates an amount in GraphQL variables as written', async () => {
    const query = 'query ($a: Money, $l: Int) { balance_transactions(amount: $a, limit: $l) { _id } }'
    const ask = (amount: string) =>
      caller.send({
        method: 'POST',
        url: '/graph',
        headers: { host: 'localhost', 'content-type': 'application/json', authorization: `Bearer ${token}` },
        payload: `{"query":${JSON.stringify(query)},"variables":{"a":${amount},"l":10}}`,
      })
    for (const amount of ['100.10', '100', '"100.10"']) assert.equal((await ask(amount)).body.errors, undefined, amount)
    assert.ok((await ask('1e2')).body.errors)
  })
})
