import type { Locator, Page } from 'playwright'
import { expect } from './visit.ts'

/** Opens a deposit from the desk's queue. */
export async function openAtDesk(page: Page, ticket: string): Promise<Locator> {
  await page
    .getByRole('list', { name: 'Deposits' })
    .getByRole('link', { name: new RegExp(`T-${ticket}\\b`) })
    .click()
  const deposit = page.getByRole('article', { name: `Deposit T-${ticket}` })
  await expect(deposit).toBeVisible()
  return deposit
}

/** Opens the confirmation dialog; the journey answers it. */
export async function askToApprove(page: Page, ticket: string): Promise<Locator> {
  await page
    .getByRole('article', { name: `Deposit T-${ticket}` })
    .getByRole('button', { name: 'Approve' })
    .click()
  const dialog = page.getByRole('dialog', { name: new RegExp(`^Approve deposit T-${ticket} of `) })
  await expect(dialog).toBeVisible()
  return dialog
}

export async function approve(page: Page, ticket: string): Promise<void> {
  const dialog = await askToApprove(page, ticket)
  await dialog.getByRole('button', { name: 'Approve and credit' }).click()
  await expect(dialog).toBeHidden()
}
