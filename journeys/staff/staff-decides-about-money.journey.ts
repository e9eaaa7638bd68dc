// spec: DK payments
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { reading } from '../../server/foundation/database/database.ts'
import { chooseOption, depositForm, paymentPages } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('staff decide a payment exception', () => {
  let testApp: TestApp
  let foreignOrigins: string[]
  before(async () => {
    testApp = await openTestApp()
    foreignOrigins = paymentPages(testApp)
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Pays an order for which the provider then reports another amount. */
  async function payAnotherAmount(page: Page): Promise<void> {
    await signInAsMember(page)
    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, /#700123/)
    await page.getByRole('radio', { name: 'Zota' }).check()
    await depositForm(page).amount.fill('150')
    await page.getByRole('button', { name: 'Pay with Zota' }).click()
    await expect(page.getByText('A simulated payment page. No money moves.')).toBeVisible()
    await page.getByRole('button', { name: 'Approve a wrong amount' }).click()
  }

  it('see the agreed and the paid amount, credit the paid one, and find every webhook', async () => {
    await payAnotherAmount((await testApp.visit({ foreignOrigins })).page)
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    // The demo has another payment exception.
    const found = page.getByRole('article', { name: /^Payment for / }).filter({ hasText: '150.00' })
    await expect(async () => {
      await page.goto('/desk/payments')
      await expect(found.getByText('The paid amount differs from the agreed one.')).toBeVisible({ timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
    await found.getByRole('button', { name: 'Decide' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect(dialog.getByText('Please choose a decision.')).toBeVisible()
    await dialog.getByRole('radio', { name: /Credit what was paid/ }).check()
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect(found).toHaveCount(0)
    await page.getByRole('link', { name: 'Decided', exact: true }).click()
    await expect(page.getByText('Credited with what was paid')).toBeVisible()
    await page.getByRole('link', { name: 'Webhook events', exact: true }).click()
    await page.getByRole('button', { name: 'Show the message' }).first().click()
    await expect(page.getByText('"merchantOrderID"')).toBeVisible()
    await page.getByRole('button', { name: 'Process again' }).first().click()
    await expect(page.getByText('It is being processed again.')).toBeVisible()
    assert.equal(await creditsOfPayments(), 1)
  })

  async function creditsOfPayments(): Promise<number> {
    const system = testApp.system
    const rows = await reading(system, (tx) =>
      tx.selectFrom('payment_credits').select('payment').where('workspace_id', '=', system.workspaceId).execute(),
    )
    return rows.length
  }
})
