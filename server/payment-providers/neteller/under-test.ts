import { startNetellerSimulator } from '../../../simulators/neteller/simulator.ts'
import { addBeside, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

const merchant = {
  username: 'pmle-100',
  password: 'neteller-secret-1',
  webhookKey: 'neteller-webhook-1',
  accountId: '1001',
}

export const simulatorOf = (setup: PaymentFixture) => addBeside(setup, 'neteller', startNetellerSimulator(merchant))

export const underTest: ProviderUnderTest = {
  uid: 'neteller',
  words: { paid: 'COMPLETED', declined: 'FAILED', pending: 'PENDING' },
  otherMerchant: { merchantId: '2002' },
  signature: {
    fields: ['eventName', 'payload.merchantRefNum', 'payload.amount', 'payload.currencyCode', 'payload.id'],
    names: {
      ...{ order: 'payload.merchantRefNum', amount: 'payload.amount', currency: 'payload.currencyCode' },
      ...{ kind: 'eventName', reference: 'payload.id' },
    },
    proofs: ['signature'],
  },
  declinesForGood: true,
  isCalledAtStart: true,
  simulatorOf,
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'neteller',
  words: { paid: 'COMPLETED', declined: 'FAILED', pending: 'PENDING' },
  webhookEvents: 'believed',
  signature: underTest.signature,
}
