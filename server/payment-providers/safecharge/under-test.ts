import type { PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

export const simulatorOf = ({ safecharge }: PaymentFixture) => safecharge

export const underTest: ProviderUnderTest = {
  uid: 'safecharge',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  returned: { status: 'APPROVED', type: 'Credit' },
  otherMerchant: { merchantId: '1999999999' },
  signature: {
    fields: ['totalAmount', 'currency', 'responseTimeStamp', 'PPP_TransactionID', 'Status', 'productId'],
    names: {
      ...{ order: 'merchant_unique_id', amount: 'totalAmount', currency: 'currency' },
      ...{ kind: 'transactionType', reference: 'PPP_TransactionID' },
    },
    proofs: ['advanceResponseChecksum'],
  },
  declinesForGood: false,
  isAsked: true,
  isCalledAtStart: false,
  simulatorOf,
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'safecharge',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  webhookEvents: 'hints',
  signature: underTest.signature,
}
