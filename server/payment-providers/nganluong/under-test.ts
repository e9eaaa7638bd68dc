import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { startNganluongSimulator } from '../../../simulators/nganluong/simulator.ts'
import { addBeside, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

const merchant = { merchantId: '36680', password: 'nl-password-1', receiverEmail: 'merchant@example.com' }
const dong = [{ currency: 'VND', amount_min: '10', amount_max: '500000000' }]

export const simulatorOf = (setup: PaymentFixture) =>
  addBeside(setup, 'nganluong', startNganluongSimulator(merchant), dong)

export const underTest: ProviderUnderTest = {
  uid: 'nganluong',
  words: { paid: '00', declined: '115', pending: '03' },
  currency: 'VND',
  hasNoCurrency: true,
  isAsked: true,
  isUnsigned: true,
  declineReason: paymentTexts.notAccepted,
  signature: { fields: [], names: { order: 'order_code', reference: 'token' }, proofs: ['checksum'] },
  declinesForGood: true,
  isCalledAtStart: true,
  simulatorOf,
}
