import { startSkrillSimulator } from '../../../simulators/skrill/simulator.ts'
import { addBeside, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

export const merchant = {
  payToEmail: 'merchant@example.com',
  merchantId: '100005',
  secretWord: 'harbour1',
  apiPassword: 'skrill-password-1',
}

/** Transfers to an unregistered wallet stay pending; `withWallets` makes them complete immediately. */
export async function simulatorOf(setup: PaymentFixture) {
  const options = { ...merchant, withoutWallets: true }
  const simulator = await addBeside(setup, 'skrill', startSkrillSimulator(options))
  const withWallets = (): void => {
    options.withoutWallets = false
  }
  return { ...simulator, withWallets }
}

export const underTest: ProviderUnderTest = {
  uid: 'skrill',
  words: { paid: '2', declined: '-2', pending: '0' },
  returned: { status: '-3' },
  otherMerchant: { merchantId: '9999999' },
  signature: {
    fields: ['merchant_id', 'transaction_id', 'mb_amount', 'mb_currency', 'status'],
    names: {
      ...{ order: 'transaction_id', amount: 'mb_amount', currency: 'mb_currency', kind: 'transaction_id' },
      reference: 'mb_transaction_id',
    },
    proofs: ['md5sig', 'sha2sig'],
  },
  declinesForGood: true,
  isAsked: true,
  isCalledAtStart: true,
  simulatorOf,
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'skrill',
  words: { paid: '2', declined: '-2', pending: '1' },
  webhookEvents: 'none',
  failedWords: 'The payment failed',
}
