import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { type SdsystemSimulator, startSdsystemSimulator } from '../../../simulators/sdsystem/simulator.ts'
import { addBeside, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import { reading } from '../../foundation/database/database.ts'
import { notifyUrl } from '../../payments/connections/urls.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import type { PayoutsUnderTest } from '../payouts-under-test.ts'
import type { ProviderUnderTest } from '../provider-under-test.ts'

const merchant = {
  merchantId: 'SD1001',
  key1: 'AQIDBAUGBwg=',
  key2: 'CAcGBQQDAgE=',
  md5Key: '0123456789abcdef0123456789abcdef',
}
const payouts = { loginAccount: 'harbour-payouts', key1: 'EQITBBUGFwg=', key2: 'GAcWBRQDEgE=' }
export const words = { paid: '1', declined: '2', pending: '9' }
const yuan = [{ currency: 'CNY', amount_min: '10', amount_max: '50000' }]

export async function simulatorOf(
  setup: PaymentFixture,
  settings: Record<string, string> = {},
): Promise<SdsystemSimulator> {
  const started = await startSdsystemSimulator({ ...merchant, payouts })
  const banks = 'ICBC = Industrial and Commercial Bank of China\nMEMB = Members Bank'
  const simulator = { ...started, settings: { ...started.settings, banks, ...settings } }
  await addBeside(setup, 'sdsystem', Promise.resolve(simulator), yuan)
  const { system } = setup
  const workspace = await reading(system, (tx) => readWorkspace(tx, system))
  simulator.notifyAt(notifyUrl(setup.context.config, workspace, 'sdsystem'))
  return simulator
}

export const underTest: ProviderUnderTest = {
  uid: 'sdsystem',
  words,
  otherMerchant: { merchantId: 'SD-OTHER' },
  currency: 'CNY',
  namesNoPayment: true,
  declineReason: paymentTexts.notAccepted,
  signature: { fields: ['res'], names: {}, proofs: ['res', 'HiddenField1'], isSealed: true },
  declinesForGood: true,
  isCalledAtStart: false,
  cannotBeAsked: true,
  hasNoPending: true,
  simulatorOf,
}

export const payoutsUnderTest: PayoutsUnderTest = {
  uid: 'sdsystem',
  words,
  currency: 'CNY',
  webhookEvents: 'reviewed',
  hasNoCurrency: true,
  cannotBeAsked: true,
  signature: { fields: ['HiddenField1'], names: {}, proofs: ['HiddenField1'], isSealed: true },
}
