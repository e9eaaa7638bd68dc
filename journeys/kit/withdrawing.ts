import type { Locator, Page } from 'playwright'
import { chooseOption } from './depositing.ts'
import { signInAsStaff } from './people.ts'
import type { TestApp } from './test-app.ts'

/** The fields of the withdrawal form by their labels. */
export function withdrawalForm(page: Page) {
  return {
    account: page.getByRole('combobox', { name: 'Trading account' }),
    destination: page.getByRole('combobox', { name: 'Destination', exact: true }),
    beneficiaryAccount: page.getByRole('combobox', { name: 'Destination account' }),
    amount: page.getByRole('textbox', { name: 'Amount' }),
    comment: page.getByRole('textbox', { name: 'Comment' }),
    create: page.getByRole('button', { name: 'CREATE WITHDRAWAL' }),
  }
}

export type WithdrawalWanted = { login: string; amount: string; comment: string }

/** Fills the whole form; the journey submits it. */
export async function fillWithdrawal(page: Page, { login, amount, comment }: WithdrawalWanted): Promise<void> {
  const form = withdrawalForm(page)
  await page.goto('/funds/withdraw')
  await chooseOption(page, form.account, new RegExp(`#${login}`))
  await chooseOption(page, form.destination, /^Bank account$/)
  await chooseOption(page, form.beneficiaryAccount, /Banca Adriatica/)
  await form.amount.fill(amount)
  await form.comment.fill(comment)
}

/** Approves the withdrawal at the desk and returns the desk page showing it. */
export async function approveAtDesk(testApp: TestApp, ticket: string): Promise<{ desk: Page; withdrawal: Locator }> {
  const { page: desk } = await testApp.visit({ width: 1280 })
  await signInAsStaff(desk)
  await desk.goto('/desk/withdrawals')
  await desk.getByRole('link', { name: new RegExp(`T-${ticket}\\b`) }).click()
  const withdrawal = desk.getByRole('article', { name: `Withdrawal T-${ticket}` })
  await withdrawal.getByRole('button', { name: 'Approve' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Approve and debit' }).click()
  return { desk, withdrawal }
}
