import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payment-texts.ts'
import { type RpnpaySimulator, startRpnpaySimulator } from '../../../simulators/rpnpay/simulator.ts'
import {
  addBeside,
  openPaymentFloor,
  type PaymentFloor,
  readNotifications,
  readOrder,
  startOrder,
  withAccountIn,
} from '../../../tests/fixtures/payment-fixture.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'

const merchant = { merchantId: 'RPN10001', secretKey: 'rpn-key-demo-1' }
const yuan = [{ currency: 'CNY', amount_min: '10', amount_max: '50000' }]
const words = { paid: '3', declined: '4', pending: '1' }
const simulatorOf = (floor: PaymentFloor) => addBeside(floor, 'rpnpay', startRpnpaySimulator(merchant), yuan)

testProvider({
  uid: 'rpnpay',
  words,
  currency: 'CNY',
  hasNoCurrency: true,
  namesNoMerchant: true,
  declineReason: paymentTexts.notAccepted,
  signature: {
    fields: ['order_id', 'order_time', 'order_amount', 'deal_id', 'deal_time', 'pay_amount', 'pay_result'],
    names: { order: 'order_id', amount: 'pay_amount', reference: 'deal_id' },
    proofs: ['signature', 'Sign'],
  },
  declinesForGood: true,
  isCalledAtStart: false,
  cannotBeAsked: true,
  simulatorOf,
})

testPayouts({
  uid: 'rpnpay',
  words,
  currency: 'CNY',
  // They answer with a number and no words.
  failedWords: 'code 25',
  notices: 'hints',
  simulatorOf,
})

describe('rpnpay: signed fields in yuan and in a frame', () => {
  let floor: PaymentFloor
  let simulator: RpnpaySimulator
  before(async () => {
    floor = await withAccountIn(await openPaymentFloor(), 'CNY')
    simulator = await simulatorOf(floor)
  })
  after(() => floor.close())

  const start = () => startOrder(floor, { payment_method: 'rpnpay', amount: '250.00' })

  it('asks for fen, inside of the portal', async () => {
    const { attempt, handOff } = await start()
    assert.equal(simulator.orderOf(attempt).amount, '250.00')
    assert.ok(handOff.kind === 'form')
    assert.equal(handOff.isFramed, true)
    assert.equal(handOff.fields.find(({ name }) => name === 'order_amount')?.value, '25000')
    assert.equal(JSON.stringify(handOff).includes(merchant.secretKey), false)
  })

  it('answers with the words that they wait for', async () => {
    const { order, attempt } = await start()
    simulator.set(attempt, words.paid)
    assert.deepEqual(await simulator.notify(attempt), { status: 200, body: '[Success]' })
    await readNotifications(floor)
    assert.equal((await readOrder(floor, order)).state, 'paid')
  })

  it('hears of a payment that was pending first', async () => {
    const { order, attempt } = await start()
    for (const [word, state] of [
      [words.pending, 'handed_over'],
      [words.paid, 'paid'],
    ] as const) {
      simulator.set(attempt, word)
      await simulator.notify(attempt)
      await readNotifications(floor)
      assert.equal((await readOrder(floor, order)).state, state)
    }
  })
})
