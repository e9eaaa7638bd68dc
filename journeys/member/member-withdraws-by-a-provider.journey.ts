// spec: AO 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { withdrawalReasons } from '@atrium/contract/withdrawals/calls.ts'
import type { Page } from 'playwright'
import { readBalance } from '../kit/balances.ts'
import { acceptCreated, chooseOption, openTransaction, paymentPages } from '../kit/depositing.ts'
import { openPaymentPage } from '../kit/paying.ts'
import { signInAsMember } from '../kit/people.ts'
import { expectPrompt } from '../kit/prompts.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { approveAtDesk, withdrawalForm } from '../kit/withdrawing.ts'

const login = '700123'
/** Jobs, a platform and a provider are involved. */
const patience = { timeout: 30_000 }

type Wanted = { provider: string; place?: RegExp; amount: string; coin?: string; from?: string }

describe('a member withdraws by a payment provider', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function ask(page: Page, { provider, place, amount, coin, from = login }: Wanted): Promise<string> {
    const form = withdrawalForm(page)
    await page.goto('/funds/withdraw')
    await chooseOption(page, form.account, new RegExp(`#${from}`))
    await chooseOption(page, form.destination, new RegExp(`^${provider}$`))
    if (place) await chooseOption(page, form.beneficiaryAccount, place)
    if (coin !== undefined)
      await chooseOption(page, page.getByRole('combobox', { name: 'Coin' }), new RegExp(`^${coin}$`))
    await form.amount.fill(amount)
    await form.comment.fill(`By ${provider}`)
    await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText('You receive')
    await form.create.click()
    return acceptCreated(page)
  }

  async function expectTimeline(page: Page, ticket: string, steps: readonly string[]): Promise<void> {
    await openTransaction(page, ticket)
    const timeline = page.getByRole('list', { name: 'Timeline' })
    for (const step of steps) await expect(timeline).toContainText(step)
  }

  const debitsOf = (amount: string) =>
    testApp.platform.ledger(login).filter((deal) => deal.amount === `-${amount}`).length

  it('is paid once by the provider, without manual marking', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    const ticket = await ask(page, { provider: 'Zota', place: /Banca Adriatica/, amount: '121.50' })
    const calls = testApp.payments.zotapay.payoutCalls()
    const { withdrawal } = await approveAtDesk(testApp, ticket)
    await expect(withdrawal).toContainText('The provider is processing this payout.', patience)
    await expect(withdrawal.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0)
    await expect(withdrawal).toContainText('Paid out', patience)
    assert.equal(testApp.payments.zotapay.payoutCalls(), calls + 1)
    assert.equal(debitsOf('121.50'), 1)
    const paid = [...testApp.payments.zotapay.orders.values()].at(-1)
    // The fee is two dollars.
    assert.deepEqual([paid?.amount, paid?.currency, paid?.state], ['119.50', 'USD', 'APPROVED'])
    await expectTimeline(page, ticket, [
      'You created the withdrawal',
      'Debited from your trading account',
      'Paid out',
      paid?.reference ?? 'no number',
    ])
  })

  it('gets the money back when the payout fails, and sees what to do', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    const before = await readBalance(page, login)
    testApp.payments.zotapay.refuseStarts('Account closed')
    const ticket = await ask(page, { provider: 'Zota', place: /Banca Adriatica/, amount: '64.25' })
    const { withdrawal } = await approveAtDesk(testApp, ticket)
    await expect(withdrawal).toContainText('Rejected', patience)
    testApp.payments.zotapay.refuseStarts(null)
    assert.equal(debitsOf('64.25'), 1)
    await expect(await openTransaction(page, ticket)).toContainText(withdrawalReasons.payout_failed.sentence)
    await expect.poll(() => readBalance(page, login)).toBe(before)
  })

  it('receives coins at an address with its tag, in a coin that the wallet accepts', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    const form = withdrawalForm(page)
    await page.goto('/funds/withdraw')
    await chooseOption(page, form.account, new RegExp(`#${login}`))
    await chooseOption(page, form.destination, /^CoinPayments$/)
    await chooseOption(page, form.beneficiaryAccount, /Exchange account/)
    await page.getByRole('combobox', { name: 'Coin' }).click()
    await expect(page.getByRole('option')).toHaveText(['XRP'])
    // Starts over, which discards the choices made so far.
    expectPrompt(page, { type: 'beforeunload', answer: 'accept' })
    const ticket = await ask(page, { provider: 'CoinPayments', place: /Exchange account/, amount: '65', coin: 'XRP' })
    const { withdrawal } = await approveAtDesk(testApp, ticket)
    // Sixty after the fee, at a price of 0.60.
    await expect(withdrawal).toContainText('100.00000000 XRP', patience)
    await expect(withdrawal).toContainText('10449118')
    const { coinpayments } = testApp.payments
    const sent = [...coinpayments.orders.values()].at(-1)
    assert.equal(sent?.more.tag, '10449118')
    coinpayments.set(sent.attempt, '2')
    await coinpayments.notify(sent.attempt)
    await expect(withdrawal).toContainText('Paid out', patience)
    assert.equal(coinpayments.payoutCalls(), 1)
    await expectTimeline(page, ticket, ['Paid out', sent.reference])
    const detail = page.getByRole('region', { name: `Transaction ${ticket}` })
    await expect(detail).toContainText('100.00000000 XRP')
    await expect(detail).toContainText('XRP Ledger')
  })

  for (const { person, ...wanted } of [
    { person: 'member', provider: 'Skrill', place: /Travel money/, amount: '40' },
    { person: 'member', provider: 'Neteller', place: /Travel money/, amount: '40' },
    { person: 'asia', provider: 'RPN Pay', place: /Industrial and Commercial/, amount: '300', from: '700311' },
  ] as const)
    it(`${wanted.provider}: pays the withdrawal of the demo’s ${person} automatically`, async () => {
      const { page } = await testApp.visit({ width: 1280 })
      await signInAsMember(page, person)
      const { withdrawal } = await approveAtDesk(testApp, await ask(page, wanted))
      await expect(withdrawal).toContainText('Paid out', patience)
    })

  it('SD System: sends unverifiable payout webhooks, and staff close the payout manually', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page, 'asia')
    testApp.payments.sdsystem.notifyAt(`${testApp.url}/callbacks/payments/sdsystem`)
    const ticket = await ask(page, {
      ...{ provider: 'SD System', place: /Industrial and Commercial/, amount: '300', from: '700311' },
    })
    const { desk, withdrawal } = await approveAtDesk(testApp, ticket)
    await expect(withdrawal).toContainText(/payout is in manual review/, patience)
    await withdrawal.getByRole('button', { name: 'Mark as paid' }).click()
    await desk.getByLabel('Payment reference').fill('SD 4711')
    await desk.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
    await expect(withdrawal).toContainText('Paid out', patience)
  })

  it('SafeCharge: pays back to the card of the deposit', async () => {
    const { page } = await testApp.visit({ width: 1280, foreignOrigins: paymentPages(testApp) })
    await signInAsMember(page)
    await openPaymentPage(page, { login, provider: 'SafeCharge', amount: '90' })
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
    const ticket = await ask(page, { provider: 'SafeCharge', amount: '90' })
    const { withdrawal } = await approveAtDesk(testApp, ticket)
    await expect(withdrawal).toContainText('Paid out', patience)
  })
})
