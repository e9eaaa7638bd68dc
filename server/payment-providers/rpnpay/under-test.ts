import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { startRpnpaySimulator } from '../../../simulators/rpnpay/simulator.ts'
import { addBeside, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

export const merchant = { merchantId: 'RPN10001', secretKey: 'rpn-key-demo-1' }
export const words = { paid: '3', declined: '4', pending: '1' }
const yuan = [{ currency: 'CNY', amount_min: '10', amount_max: '50000' }]

export const simulatorOf = (setup: PaymentFixture) => addBeside(setup, 'rpnpay', startRpnpaySimulator(merchant), yuan)

export const underTest: ProviderUnderTest = {
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
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'rpnpay',
  words,
  currency: 'CNY',
  // They answer with a code only.
  failedWords: 'code 25',
  webhookEvents: 'hints',
  signature: {
    fields: ['RespCode', 'WSno', 'Amount'],
    names: { order: 'OrderSno', amount: 'Amount', reference: 'WSno' },
    proofs: ['Sign'],
  },
}
