import type { Locator, Page } from 'playwright'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import type { TestApp } from './test-app.ts'
import { expect } from './visit.ts'

export type UploadedFile = { name: string; mimeType: string; buffer: Buffer }

export const goodReceipt: UploadedFile = {
  name: 'receipt.png',
  mimeType: 'image/png',
  buffer: makePng({ width: 16, height: 16 }),
}

/** The fields of the deposit form by their labels. */
export function depositForm(page: Page) {
  return {
    account: page.getByRole('combobox', { name: 'Trading account' }),
    amount: page.getByRole('textbox', { name: 'Amount' }),
    transfer: page.getByRole('radio', { name: 'Bank transfer' }),
    origin: page.getByRole('combobox', { name: 'Origin account' }),
    destination: page.getByRole('radiogroup', { name: 'Destination account' }),
    comment: page.getByRole('textbox', { name: 'Comment' }),
    receipt: page.getByRole('button', { name: 'Receipt', exact: true }), // A file input has the role of a button.
    create: page.getByRole('button', { name: 'CREATE DEPOSIT' }),
  }
}

export async function chooseOption(page: Page, field: Locator, name: RegExp): Promise<void> {
  await field.click()
  await page.getByRole('option', { name }).click()
}

/** Opens the list of the focused field and moves down to the wanted option. */
export async function chooseByKeys(page: Page, field: Locator, name: RegExp): Promise<void> {
  await page.keyboard.press('ArrowDown')
  const option = page.getByRole('option', { name })
  await expect(option).toBeVisible()
  const length = await page.getByRole('option').count()
  for (let step = 0; step < length; step++) {
    const id = await field.getAttribute('aria-activedescendant')
    if (id !== null && id === (await option.getAttribute('id'))) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(name)
}

export async function attachReceipt(page: Page, file: UploadedFile = goodReceipt): Promise<void> {
  await depositForm(page).receipt.setInputFiles(file)
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
}

export type DepositWanted = { login: string; amount: string; comment: string; receipt?: UploadedFile }

/** Fills the whole form, including the receipt; the journey submits it. */
export async function fillDeposit(page: Page, { login, amount, comment, receipt }: DepositWanted): Promise<void> {
  const form = depositForm(page)
  await page.goto('/funds/deposit')
  await chooseOption(page, form.account, new RegExp(`#${login}`))
  await form.amount.fill(amount)
  await form.transfer.check()
  await chooseOption(page, form.origin, /Banca Adriatica/)
  await form.destination.getByRole('radio').first().check()
  await form.comment.fill(comment)
  await attachReceipt(page, receipt)
}

/** After submitting: reads the new deposit's ticket and continues to the transactions. */
export async function acceptCreated(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Transaction created successfully.' })
  await expect(dialog).toBeVisible()
  const ticket = /number is (\d+)/.exec((await dialog.textContent()) ?? '')?.[1]
  if (!ticket) throw new Error('The dialog names no ticket.')
  await dialog.getByRole('button', { name: 'See my transactions' }).click()
  await expect(page).toHaveURL(/\/funds\/transactions/)
  return ticket
}

export async function makeDeposit(page: Page, wanted: DepositWanted): Promise<string> {
  await fillDeposit(page, wanted)
  await depositForm(page).create.click()
  return acceptCreated(page)
}

export function transactionRow(page: Page, ticket: string): Locator {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Open transaction ${ticket}`, exact: true }) })
}

/** Opens the detail of one transaction from the current list. */
export async function openTransaction(page: Page, ticket: string): Promise<Locator> {
  await page.goto('/funds/transactions')
  await page.getByRole('button', { name: `Open transaction ${ticket}`, exact: true }).click()
  const detail = page.getByRole('region', { name: `Transaction ${ticket}` })
  await expect(detail).toBeVisible()
  return detail
}

/** Origins of the payment pages to which a payer is redirected. */
export const paymentPages = ({ payments }: TestApp): string[] =>
  Object.values(payments.settings)
    .flatMap((settings) => Object.values(settings))
    .filter((value) => value.startsWith('http://'))
    .map((address) => new URL(address).origin)
