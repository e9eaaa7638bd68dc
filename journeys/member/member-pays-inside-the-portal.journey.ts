// spec: AO 2.1
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import type { Page } from 'playwright'
import { chooseOption, depositForm } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '700311'

describe('a member pays inside the portal', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function openPaymentPage(amount: string): Promise<Page> {
    const { page } = await testApp.visit({ foreignOrigins: [testApp.payments.rpnpay.url] })
    await signInAsMember(page, 'asia')
    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, new RegExp(`#${login}`))
    await page.getByRole('radio', { name: 'RPN Pay' }).check()
    await depositForm(page).amount.fill(amount)
    await page.getByRole('button', { name: 'Pay with RPN Pay' }).click()
    await expect(page).toHaveURL(/\/rpnpay-payment$/)
    await expect(frameOf(page).getByText('A simulated payment page. No money moves.')).toBeVisible()
    return page
  }

  it('shows amount and remaining time, pays in the frame, and reaches the status page', async () => {
    const page = await openPaymentPage('150')
    await expect(page.getByRole('banner')).toContainText(/150\.00\s*CNY/)
    await expect(page.getByRole('timer')).toHaveText(/^00:59:\d\d$/)
    await frameOf(page).getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page).toHaveURL(/\/deposit-processing\/[0-9a-f-]{36}/)
    await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
  })

  it('shows that a payment was declined in the frame', async () => {
    const page = await openPaymentPage('155')
    await frameOf(page).getByRole('button', { name: 'Decline', exact: true }).click()
    await expect(page.getByRole('heading', { name: paymentTexts.declined })).toBeVisible()
  })

  it('reaches the status page when the frame redirects back before any webhook', async () => {
    const page = await openPaymentPage('160')
    await frameOf(page).getByRole('button', { name: 'Approve, never notify' }).click()
    await expect(page).toHaveURL(/\/deposit-processing\/[0-9a-f-]{36}/)
    await expect(page.getByRole('heading', { name: 'Waiting for your payment' })).toBeVisible()
  })

  it('keeps the payment after a reload, and leaves by keyboard', async () => {
    const page = await openPaymentPage('170')
    await page.reload()
    await expect(frameOf(page).getByText('170.00 CNY')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(paymentTexts.cancelled)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByRole('link', { name: 'Try Again' })).toBeVisible()
  })

  it('opens the same payment page without the frame', async () => {
    const page = await openPaymentPage('180')
    await page.getByRole('button', { name: 'Open as a full page' }).click()
    await expect(page).toHaveURL(new RegExp(`^${testApp.payments.rpnpay.url}`))
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
  })

  it('allows only the provider in its frame, and no external frame on other pages', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${testApp.url}${path}`)).headers.get('content-security-policy')
    const framing = await policyOf('/rpnpay-payment')
    assert.match(framing ?? '', new RegExp(`frame-src 'self' ${testApp.payments.rpnpay.url};`))
    for (const path of ['/home/', '/funds/deposit', '/rpnpay-payments', '/desk'])
      assert.doesNotMatch((await policyOf(path)) ?? '', /frame-src [^;]*http/)
    for (const path of ['/rpnpay-payment', '/home/'])
      assert.match((await policyOf(path)) ?? '', /frame-ancestors 'none'/)
  })
})

const frameOf = (page: Page) => page.frameLocator('iframe')
