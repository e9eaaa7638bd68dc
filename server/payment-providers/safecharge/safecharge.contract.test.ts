import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import {
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { readIntents, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { findViolations } from '../../funding/ledger.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('safecharge', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  it('queries a payout whose bank did not answer, and neither refuses nor repeats it', async () => {
    const setup = shared.setup()
    await chooseSettings(setup, { withdrawal_rules: [openTo('safecharge')], withdrawal_four_eyes: false })
    const id = await debitPayout(setup, 'safecharge', await openPayee(setup, 'safecharge', { balance: '1000.00' }))
    const before = shared.simulator().payoutCalls()
    shared.simulator().silenceBank(true)
    assert.equal(await processLatest(setup, id), 'checking')
    shared.simulator().silenceBank(false)
    assert.equal(await processLatest(setup, id), 'accepted')
    assert.equal((await readTransaction(setup, id)).state, 'paying')
    const { attempt } = await latestPayout(setup, id)
    shared.simulator().set(attempt, 'APPROVED')
    assert.equal(await processLatest(setup, id), 'paid')
    assert.equal(shared.simulator().payoutCalls(), before + 1)
  })

  describe('safecharge: attacks with one genuine payment', () => {
    let setup: PaymentFixture
    before(() => {
      setup = shared.setup()
    })

    const start = () => startOrder(setup, { payment_method: 'safecharge' })
    const stateOf = async (order: string) => {
      const { state, transaction_id } = await readOrder(setup, order)
      return [state, (await readIntents(setup, transaction_id)).length]
    }
    async function post(fields: URLSearchParams): Promise<number> {
      const answer = await setup.app.inject({
        ...{ method: 'POST', url: '/callbacks/payments/safecharge', payload: fields.toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost' },
      })
      await readWebhookEvents(setup)
      return answer.statusCode
    }
    const backFrom = (attempt: string) => new URL(setup.safecharge.returnTo(attempt)).searchParams

    it('credits none of 32 other orders from the return URL with altered time characters', async () => {
      const paid = await start()
      setup.safecharge.set(paid.attempt, 'APPROVED')
      await setup.safecharge.notify(paid.attempt)
      await readWebhookEvents(setup)
      assert.deepEqual(await stateOf(paid.order), ['paid', 1])
      const fields = backFrom(paid.attempt)
      const time = fields.get('responseTimeStamp') ?? ''
      for (let signs = 0; signs < 32; signs++) {
        const other = await start()
        const cut = time.length - (signs % time.length)
        fields.set('merchant_unique_id', other.attempt)
        fields.set('responseTimeStamp', time.slice(0, cut))
        fields.set('PPP_TransactionID', `${time.slice(cut)}${backFrom(paid.attempt).get('PPP_TransactionID')}`)
        assert.equal(await post(fields), signs % time.length === 0 ? 200 : 400)
        assert.deepEqual(await stateOf(other.order), ['handed_over', 0])
      }
      assert.deepEqual(await stateOf(paid.order), ['paid', 1])
      assert.deepEqual(
        (await findViolations(setup.system)).filter(({ kind }) => kind !== 'unknown-on-platform'),
        [],
      )
    })

    it('does not count an authorization as paid when its kind is omitted or replaced by a sale', async () => {
      const { order, attempt } = await start()
      await setup.safecharge.notify(attempt, { status: 'APPROVED', type: 'Auth' })
      const fields = new URLSearchParams(setup.safecharge.webhookEventOf(attempt, { status: 'APPROVED', type: 'Auth' }))
      for (const kind of ['Sale', null]) {
        if (kind === null) fields.delete('transactionType')
        else fields.set('transactionType', kind)
        await post(fields)
      }
      assert.deepEqual(await stateOf(order), ['handed_over', 0])
    })

    it('does not accept its own page checksum as theirs, wherever the values are split', async () => {
      const { attempt, redirect } = await start()
      assert.ok(redirect.kind === 'form')
      const values = redirect.fields.filter(({ name }) => name !== 'checksum').map(({ value }) => value)
      const checksum = redirect.fields.at(-1)?.value ?? ''
      const text = [...values.slice(0, 3), 'USD', ...values.slice(4)].join('')
      assert.equal(createHash('sha256').update(`safecharge-secret-0001${text}`).digest('hex'), checksum)
      const head = values.slice(0, 3).join('')
      for (const status of ['APPROVED', 'UTF', 'MT']) {
        const at = text.lastIndexOf(status)
        const fields = new URLSearchParams({
          ...{
            totalAmount: head,
            currency: 'USD',
            responseTimeStamp: text.slice(head.length + 3, Math.max(at - 4, 0)),
          },
          ...{
            PPP_TransactionID: text.slice(Math.max(at - 4, 0), at),
            Status: status,
            productId: text.slice(at + status.length),
          },
          ...{ merchant_unique_id: attempt, advanceResponseChecksum: checksum },
        })
        assert.equal(await post(fields), 400)
      }
    })

    it('takes any text for the unsigned order number', async () => {
      const { attempt } = await start()
      setup.safecharge.set(attempt, 'APPROVED')
      for (const name of ['\u0000', 'wd-\u0000', `${attempt}\u0000`, 'x'.repeat(5_000)]) {
        const fields = backFrom(attempt)
        fields.set('merchant_unique_id', name)
        assert.equal(await post(fields), 200, JSON.stringify(name))
      }
    })

    it('takes a message in a query, as some accounts send it', async () => {
      const { order, attempt } = await start()
      setup.safecharge.set(attempt, 'APPROVED')
      const url = `/callbacks/payments/safecharge?${setup.safecharge.messageFor(attempt).body}`
      const answer = await setup.app.inject({ method: 'GET', url, headers: { host: 'localhost' } })
      assert.deepEqual([answer.statusCode, answer.body], [200, 'OK'])
      await readWebhookEvents(setup)
      assert.deepEqual(await stateOf(order), ['paid', 1])
    })

    it('credits nothing for the id of another member’s transaction', async () => {
      const [theirs, ours] = [await start(), await start()]
      setup.safecharge.set(theirs.attempt, 'APPROVED')
      const fields = backFrom(theirs.attempt)
      fields.set('merchant_unique_id', ours.attempt)
      assert.equal(await post(fields), 200)
      assert.deepEqual(await stateOf(ours.order), ['handed_over', 0])
      assert.equal((await readOrder(setup, ours.order)).reference, null)
      assert.equal(await post(backFrom(theirs.attempt)), 200)
      assert.deepEqual(await stateOf(theirs.order), ['paid', 1])
    })
  })
})
