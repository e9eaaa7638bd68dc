import type { Page } from 'playwright'
import { chooseOption, depositForm } from './depositing.ts'
import { expect } from './visit.ts'

/** Fills the deposit form and follows it to the provider's page. */
export async function openPaymentPage(
  page: Page,
  { login, provider, amount }: { login: string; provider: string; amount: string },
): Promise<void> {
  await page.goto('/funds/deposit')
  await chooseOption(page, depositForm(page).account, new RegExp(`#${login}`))
  await page.getByRole('radio', { name: provider }).check()
  await depositForm(page).amount.fill(amount)
  await page.getByRole('button', { name: `Pay with ${provider}` }).click()
  await expect(page.getByText('A simulated payment page. No money moves.')).toBeVisible()
}
