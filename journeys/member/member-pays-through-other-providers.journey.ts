// spec: MP 2.5, MP 2.6, MP 4, AO 3
import { after, afterEach, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import type { Page } from 'playwright'
import { expectRisen, readBalance } from '../kit/balances.ts'
import { paymentPages } from '../kit/depositing.ts'
import { openPaymentPage } from '../kit/paying.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '700123'
type Person = Parameters<typeof signInAsMember>[1]

describe('a member pays through other providers', () => {
  let testApp: TestApp
  let foreignOrigins: string[]
  before(async () => {
    testApp = await openTestApp()
    foreignOrigins = paymentPages(testApp)
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const pageOf = async (person?: Person): Promise<Page> => {
    const { page } = await testApp.visit({ foreignOrigins })
    await signInAsMember(page, person)
    return page
  }

  for (const [person, login, provider, amount, shown, charged, reason] of [
    ['member', '700123', 'VirtualPay', '150', '+150.00', '153.30 USD', 'Insufficient funds'],
    ['asia', '700312', 'NganLuong', '2500000', '+2,500,000', '2500000 VND', paymentTexts.notAccepted],
    ['asia', '700311', 'SD System', '800', '+800.00', '800.00 CNY', paymentTexts.notAccepted],
  ] as const) {
    it(`${provider}: pays, is declined and cancels as the demo's ${person}`, async () => {
      const page = await pageOf(person)
      const before = await readBalance(page, login)
      await openPaymentPage(page, { login, provider, amount })
      await expect(page.getByText(charged)).toBeVisible()
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
      await expect(page).toHaveURL(/\/funds\/transactions/)
      await expect(page.getByRole('row').nth(1)).toContainText(shown)
      await expectRisen(page, login, { from: before, by: amount })

      await openPaymentPage(page, { login, provider, amount })
      await page.getByRole('button', { name: 'Decline', exact: true }).click()
      await expect(page.getByRole('heading', { name: paymentTexts.declined })).toBeVisible()
      await expect(page.getByText(reason)).toBeVisible()

      await openPaymentPage(page, { login, provider, amount })
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expect(page.getByRole('dialog')).toContainText(paymentTexts.cancelled)
    })
  }

  for (const [provider, charged, declinedDialog] of [
    ['SafeCharge', '153.15 USD', 'There is not enough money on the card'],
    // The provider redirects to the cancellation address; the status page shows the order's real state.
    ['Neteller', '152.25 USD', paymentTexts.cancelled],
    ['Skrill', '151.5 USD', paymentTexts.cancelled],
  ] as const) {
    it(`approves it at ${provider}, sees the confirmation, and has the money on the account`, async () => {
      const page = await pageOf()
      const before = await readBalance(page, login)
      await openPaymentPage(page, { login, provider, amount: '150' })
      await expect(page.getByText(charged)).toBeVisible()
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(page).toHaveURL(/\/deposit-processing\/[0-9a-f-]{36}/)
      await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
      await expect(page).toHaveURL(/\/funds\/transactions/)
      await expect(page.getByRole('row').nth(1)).toContainText('Approved')
      await expect(page.getByRole('row').nth(1)).toContainText('+150.00')
      if (provider === 'SafeCharge') {
        await page
          .getByRole('row')
          .nth(1)
          .getByRole('button', { name: /^Open transaction / })
          .click()
        await expect(page.getByText('Visa', { exact: true })).toBeVisible()
      }
      await expectRisen(page, login, { from: before, by: '150' })
    })

    it(`is declined at ${provider} and sees why`, async () => {
      const page = await pageOf()
      await openPaymentPage(page, { login, provider, amount: '60' })
      await page.getByRole('button', { name: 'Decline', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(declinedDialog)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(page.getByRole('heading', { name: paymentTexts.declined })).toBeVisible()
      await expect(page.getByText('Insufficient funds')).toBeVisible()
      await page.getByRole('link', { name: 'Try Again' }).click()
      await expect(page).toHaveURL(/\/funds\/deposit/)
    })
  }

  for (const provider of ['Zota', 'SafeCharge', 'Neteller', 'Skrill'])
    it(`cancels at ${provider}`, async () => {
      const page = await pageOf()
      await openPaymentPage(page, { login, provider, amount: '70' })
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(paymentTexts.cancelled)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(page.getByRole('link', { name: 'Try Again' })).toBeVisible()
    })

  it('returns without an order in the address, and with an unknown order', async () => {
    const page = await pageOf()
    await openPaymentPage(page, { login, provider: 'Zota', amount: '80' })
    // The page remembers the last order.
    await page.goto(`${testApp.url}/deposit-processing/`)
    await expect(page.getByRole('heading', { name: 'Waiting for your payment' })).toBeVisible()
    const { page: other, expectStatus } = await testApp.visit({ foreignOrigins })
    await signInAsMember(other)
    await other.goto('/deposit-processing/')
    await expect(other.getByText('Deposit not found')).toBeVisible()
    expectStatus(404)
    await other.goto('/deposit-processing/0190a0b0-0000-7000-8000-000000000002')
    await expect(other.getByText('Deposit not found')).toBeVisible()
  })

  it('shows every error before sending anything', async () => {
    const page = await pageOf()
    await page.goto('/funds/deposit')
    await page.getByRole('radio', { name: 'Zota' }).check()
    for (const name of ['Street and number', 'City', 'Phone', 'Email']) await page.getByLabel(name).fill('')
    await page.getByRole('button', { name: 'Pay with Zota' }).click()
    await expect(page.getByText('Please specify the deposit amount.')).toBeVisible()
    await expect(page.getByText('Please fill all address details.').first()).toBeVisible()
    await page.getByLabel('Phone').fill('+356 21x')
    await page.getByRole('button', { name: 'Pay with Zota' }).click()
    await expect(page.getByText(paymentTexts.phoneWrong)).toBeVisible()
  })
})
