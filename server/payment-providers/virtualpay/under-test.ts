import { startVirtualpaySimulator } from '../../../simulators/virtualpay/simulator.ts'
import { addBeside, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

export const merchant = { merchantId: 'VPMID1', secretKey: 'virtual-secret-1' }

export const simulatorOf = (setup: PaymentFixture) =>
  addBeside(setup, 'virtualpay', startVirtualpaySimulator({ ...merchant, separator: '|' }))

export const underTest: ProviderUnderTest = {
  uid: 'virtualpay',
  words: { paid: 'approved', declined: 'declined', pending: 'pending' },
  otherMerchant: { merchantId: 'VP-OTHER' },
  signature: {
    fields: ['requestID', 'merchantID', 'transactionID', 'amount', 'currency', 'status'],
    names: { order: 'requestID', amount: 'amount', currency: 'currency', reference: 'transactionID' },
    proofs: ['checksum'],
  },
  declinesForGood: true,
  isCalledAtStart: false,
  cannotBeAsked: true,
  simulatorOf,
}
