import { addAmounts, toScale } from '@atrium/contract/money/money.ts'
import type { Locator, Page } from 'playwright'
import { expect } from './visit.ts'

export function accountRow(page: Page, login: string): Locator {
  return page.getByRole('table', { name: 'Trading accounts' }).getByRole('row').filter({ hasText: login })
}

/** The balance that the accounts page shows once the platform has answered, as plain decimal text. */
export async function readBalance(page: Page, login: string): Promise<string> {
  await page.goto('/accounts')
  await expect(page.getByText('Your live and demo accounts on every platform.')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Balance' })).toBeVisible()
  const headers = await page.getByRole('columnheader').allTextContents()
  const cell = accountRow(page, login).getByRole('cell').nth(headers.indexOf('Balance'))
  // The cell may also show the time of the last update.
  await expect(cell).toHaveText(/^[\d,.]+/)
  const amount = /^[\d,.]+/.exec(((await cell.textContent()) ?? '').trim())?.[0] ?? ''
  return amount.replaceAll(',', '')
}

/** Waits until the balance on the page has risen by exactly this amount. */
export async function expectRisen(
  page: Page,
  login: string,
  { from, by }: { from: string; by: string },
): Promise<void> {
  await expect.poll(() => readBalance(page, login)).toBe(toScale(addAmounts(from, by), 'USD'))
}
