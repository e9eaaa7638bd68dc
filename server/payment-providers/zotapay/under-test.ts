import type { PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

export const simulatorOf = ({ zota }: PaymentFixture) => zota

export const underTest: ProviderUnderTest = {
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  otherMerchant: { endpointId: '999999' },
  signature: {
    fields: ['endpointID', 'orderID', 'merchantOrderID', 'status', 'amount', 'customerEmail'],
    names: { order: 'merchantOrderID', amount: 'amount', currency: 'currency', kind: 'type', reference: 'orderID' },
    proofs: ['signature'],
  },
  declinesForGood: true,
  isAsked: true,
  isCalledAtStart: true,
  simulatorOf,
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  webhookEvents: 'hints',
  signature: underTest.signature,
}
