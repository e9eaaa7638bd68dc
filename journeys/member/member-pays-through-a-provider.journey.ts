// spec: MP 4, MP 9, AO 7
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

describe('a member pays through a provider', () => {
  let testApp: TestApp
  let foreignOrigins: string[]
  before(async () => {
    testApp = await openTestApp()
    foreignOrigins = paymentPages(testApp)
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const pageOf = async (): Promise<Page> => {
    const { page } = await testApp.visit({ foreignOrigins })
    await signInAsMember(page)
    return page
  }

  it('approves it, sees the confirmation, and has the money on the account', async () => {
    const page = await pageOf()
    const before = await readBalance(page, login)
    await openPaymentPage(page, { login, provider: 'Zota', amount: '150' })
    await expect(page.getByText('150.00 USD')).toBeVisible()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page).toHaveURL(/\/deposit-processing\/[0-9a-f-]{36}/)
    await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
    await expect(page).toHaveURL(/\/funds\/transactions/)
    await expect(page.getByRole('row').nth(1)).toContainText('Approved')
    await expect(page.getByRole('row').nth(1)).toContainText('+150.00')
    await expectRisen(page, login, { from: before, by: '150' })
  })

  it('is declined and sees why', async () => {
    const page = await pageOf()
    await openPaymentPage(page, { login, provider: 'Zota', amount: '60' })
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await expect(page.getByRole('heading', { name: paymentTexts.declined })).toBeVisible()
    await expect(page.getByText('Insufficient funds')).toBeVisible()
    await page.getByRole('link', { name: 'Try Again' }).click()
    await expect(page).toHaveURL(/\/funds\/deposit/)
  })
})
