import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payment-texts.ts'
import { startSdsystemSimulator } from '../../../simulators/sdsystem/simulator.ts'
import {
  addBeside,
  openPaymentFloor,
  type PaymentFloor,
  startOrder,
  withAccountIn,
} from '../../testing/payment-floor.ts'
import { testProvider } from '../contract-tests.ts'

const merchant = {
  merchantId: 'SD1001',
  key1: 'AQIDBAUGBwg=',
  key2: 'CAcGBQQDAgE=',
  md5Key: '0123456789abcdef0123456789abcdef',
}
const yuan = [{ currency: 'CNY', amount_min: '10', amount_max: '50000' }]
const simulatorOf = (floor: PaymentFloor) => addBeside(floor, 'sdsystem', startSdsystemSimulator(merchant), yuan)

testProvider({
  uid: 'sdsystem',
  words: { paid: '1', declined: '2', pending: '9' },
  otherMerchant: { merchantId: 'SD-OTHER' },
  currency: 'CNY',
  namesNoPayment: true,
  declineReason: paymentTexts.notAccepted,
  declinesForGood: true,
  isCalledAtStart: false,
  cannotBeAsked: true,
  simulatorOf,
})

describe('sdsystem: a sealed order and a sealed answer', () => {
  let floor: PaymentFloor
  let simulator: Awaited<ReturnType<typeof simulatorOf>>
  before(async () => {
    floor = await withAccountIn(await openPaymentFloor(), 'CNY')
    simulator = await simulatorOf(floor)
  })
  after(() => floor.close())

  it('answers in their words, so that they stop, and refuses in them what is forged', async () => {
    const { attempt, handOff } = await startOrder(floor, { payment_method: 'sdsystem', amount: '250.00' })
    assert.ok(handOff.kind === 'form')
    assert.deepEqual(
      handOff.fields.map(({ name }) => name),
      ['pid', 'cmd', 'des'],
    )
    simulator.set(attempt, '1')
    const answer = await simulator.notify(attempt)
    assert.equal(answer?.status, 200)
    assert.match(answer?.body ?? '', /<cmd>60071<\/cmd>.*<result>100<\/result>/)
    const forged = await simulator.notify(attempt, { secretKey: 'another-inner-key' })
    assert.match(forged?.body ?? '', /<result>103<\/result>/)
  })
})
