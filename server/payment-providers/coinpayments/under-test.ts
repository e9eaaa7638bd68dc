import { startCoinpaymentsSimulator } from '../../../simulators/coinpayments/simulator.ts'
import { addBeside, coinsMerchant, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

export const simulatorOf = (setup: PaymentFixture) =>
  addBeside(setup, 'coinpayments', startCoinpaymentsSimulator(coinsMerchant))

export const underTest: ProviderUnderTest = {
  uid: 'coinpayments',
  words: { paid: '100', declined: '-1', pending: '1' },
  returned: { status: '-2' },
  otherMerchant: { merchantId: 'another' },
  signature: {
    fields: ['merchant', 'txn_id', 'status', 'currency1', 'currency2', 'amount1', 'amount2', 'custom', 'ipn_type'],
    names: { order: 'custom', amount: 'amount1', currency: 'currency1', kind: 'ipn_type', reference: 'txn_id' },
    proofs: ['hmac'],
  },
  declinesForGood: true,
  isCalledAtStart: true,
  form: { crypto_currency: 'LTCT' },
  simulatorOf,
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'coinpayments',
  words: { paid: '2', declined: '-1', pending: '1' },
  webhookEvents: 'hints',
  answersNameNone: true,
  form: { crypto_currency: 'LTCT' },
  signature: {
    fields: ['merchant', 'id', 'status', 'currency', 'amount', 'address', 'ipn_type'],
    names: { amount: 'amount', currency: 'currency', kind: 'ipn_type', reference: 'id' },
    proofs: ['hmac'],
  },
}
