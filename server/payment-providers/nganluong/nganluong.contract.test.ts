import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { NganluongSimulator } from '../../../simulators/nganluong/simulator.ts'
import {
  listUnread,
  listWebhookEvents,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { testProvider } from '../contract-tests.ts'
import { simulatorOf, underTest } from './under-test.ts'

describe('nganluong', () => {
  const shared = shareFixture(simulatorOf, { currency: 'VND' })
  testProvider(underTest, shared)

  describe('nganluong: unsigned messages', () => {
    let setup: PaymentFixture
    let simulator: NganluongSimulator
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const start = () => startOrder(setup, { payment_method: 'nganluong', amount: '2000000' })

    async function send(payload: string): Promise<number> {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost' }
      const request = { method: 'POST' as const, url: '/callbacks/payments/nganluong', headers, payload }
      return (await setup.app.inject(request)).statusCode
    }

    it('ignores a message that lies about a payment', async () => {
      const { order, attempt } = await start()
      const body = `error_code=00&order_code=${attempt}`
      const answer = await send(body)
      await readWebhookEvents(setup)
      assert.equal(answer, 200)
      assert.equal((await readOrder(setup, order)).state, 'handed_over')
      const stored = (await listWebhookEvents(setup, order)).at(-1)
      assert.deepEqual([stored?.verdict, stored?.outcome], ['unsigned', 'noted'])
    })

    it('accepts the queried status, to the dong', async () => {
      const { order, attempt } = await start()
      assert.equal(simulator.orderOf(attempt).amount, '2000000')
      simulator.set(attempt, '00')
      await simulator.notify(attempt)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
    })

    it('refuses a payment to another account', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, '00')
      await simulator.notify(attempt, { merchantId: 'somebody@example.com' })
      await readWebhookEvents(setup)
      const { state, staff_reason } = await readOrder(setup, order)
      assert.deepEqual([state, staff_reason], ['for_staff', 'unverified'])
      await simulator.notify(attempt)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'for_staff')
    })

    it('refuses the token of another order', async () => {
      const [one, other] = [await start(), await start()]
      simulator.set(one.attempt, '00')
      const { reference } = simulator.orderOf(one.attempt)
      const body = new URLSearchParams({ error_code: '00', token: reference, order_code: other.attempt }).toString()
      assert.equal(await send(body), 200)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, other.order)).state, 'handed_over')
    })

    it('takes any text for an order number', async () => {
      for (const name of ['%00', 'dep-%00', '%F0%9F%92%A9', "'%20or%201=1", 'x'.repeat(5_000)])
        assert.equal(await send(`error_code=00&order_code=${name}`), 200, name)
      await readWebhookEvents(setup)
      assert.deepEqual(await listUnread(setup), [])
    })

    it('takes messages about our orders however many others their server sent', async () => {
      const { order, attempt } = await start()
      for (let at = 0; at < 600; at++) await send(`order_code=unknown-${at}`)
      assert.equal(await send('order_code=unknown-600'), 429)
      simulator.set(attempt, '00')
      assert.equal(await send(`error_code=00&order_code=${attempt}`), 200)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
      setup.context.clock.advance(2 * 3_600_000)
    })

    it('queries again for a repeated hint, at most once a minute, while the order is open', async () => {
      const { order, attempt } = await start()
      const hint = `error_code=00&order_code=${attempt}`
      const asked = async (): Promise<number> => {
        assert.equal(await send(hint), 200)
        const unread = (await listUnread(setup)).length
        await readWebhookEvents(setup)
        return unread
      }
      assert.equal(await asked(), 1)
      simulator.set(attempt, '00')
      // A hundred messages a second must not cause as many queries.
      for (let time = 0; time < 3; time++) assert.equal(await asked(), 0)
      assert.equal((await readOrder(setup, order)).state, 'handed_over')
      setup.context.clock.advance(60_000)
      assert.equal(await asked(), 1)
      assert.equal((await readOrder(setup, order)).state, 'paid')
      setup.context.clock.advance(60_000)
      assert.equal(await asked(), 0)
      const stored = await listWebhookEvents(setup, order)
      assert.deepEqual(
        [stored.length, stored[0]?.times, stored[0]?.verdict, stored[0]?.outcome],
        [1, 6, 'unsigned', 'applied'],
      )
    })
  })
})
