import { startCoinpaymentsSimulator } from '../../simulators/coinpayments/simulator.ts'
import { startSdsystemSimulator } from '../../simulators/sdsystem/simulator.ts'
import { addFileCategory } from '../fixtures/documents.ts'
import { addOffered } from '../fixtures/forms.ts'
import { addBeside, coinsMerchant, openPaymentFixture } from '../fixtures/payments/payment-fixture.ts'
import { offerCurrency } from '../fixtures/payments/payment-providers.ts'
import { openTo } from '../fixtures/payments/payouts.ts'
import { makeJpeg, makePdf, makePng } from '../fixtures/sample-files.ts'
import { addAccount, addDownload } from '../fixtures/trading/platforms.ts'
import { fixtureLogin } from '../fixtures/trading/trading-fixture.ts'
import { approveDocuments, chooseSettings } from '../fixtures/workspaces.ts'
import { clientAt } from './client.ts'

const demoLogin = '700500'
const yuanLogin = '700501'
/** Fictitious credentials. */
const sdsystem = {
  merchantId: 'SD1001',
  key1: 'AQIDBAUGBwg=',
  key2: 'CAcGBQQDAgE=',
  md5Key: '0123456789abcdef0123456789abcdef',
}

/** A workspace with realistic settings, a member with accounts, and a client for that member. */
export async function openBrokerage() {
  const setup = await openPaymentFixture()
  const { system, member, platformId, simulator, context } = setup
  const { memberId } = member
  await addBeside(setup, 'coinpayments', startCoinpaymentsSimulator(coinsMerchant))
  await addBeside(setup, 'sdsystem', startSdsystemSimulator(sdsystem), [
    { currency: 'CNY', amount_min: '10', amount_max: '50000' },
  ])
  await offerCurrency(system, 'zotapay', 'CNY')
  const seeded = (login: string, group: string) => ({
    login,
    group,
    name: 'Mara Member',
    leverage: 100,
    balance: '1000.00',
  })
  simulator.control.seedAccounts([seeded(demoLogin, 'demo\\standard-usd'), seeded(yuanLogin, 'real\\standard-usd')])
  const now = +context.clock.now()
  const trade = { symbol: 'EURUSD', side: 'buy', lots: '0.30', openPrice: '1.08000', closePrice: '1.08300' } as const
  simulator.control.addTrade(fixtureLogin, { ...trade, openedAtMs: now - 7_200_000, closedAtMs: now - 3_600_000 })
  await approveDocuments(system, memberId)
  await chooseSettings(setup, { withdrawal_rules: [openTo('coinpayments')] })
  const place = { memberId, platformId }
  const demoId = await addAccount(system, { ...place, platform_login: demoLogin, live_account: false })
  const yuanId = await addAccount(system, { ...place, platform_login: yuanLogin, currency: 'CNY' })
  await addFileCategory(system)
  await addDownload(system, { platformId })
  const { formId, typeId } = await addOffered(system)
  const client = clientAt(`http://localhost:${context.config.port}`)
  await client.signIn(setup.signIn.email, setup.signIn.password)
  return { ...setup, client, demoId, yuanId, formId, typeId }
}

export type Brokerage = Awaited<ReturnType<typeof openBrokerage>>

export const receipt = { name: 'receipt.jpg', content: makeJpeg(), type: 'image/jpeg' }
export const qrCode = { name: 'wallet.png', content: makePng(), type: 'image/png' }
export const pdf = { name: 'bill.pdf', content: makePdf(), type: 'application/pdf' }
