// spec: AO 2.4, AO 2.5, AO 8, AO 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { makePdf } from '../../tests/fixtures/sample-files.ts'
import { acceptCreated, depositForm, fillDeposit, makeDeposit, openTransaction } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { aTransaction, openName } from '../screens/lists.ts'

const sentence = 'Savings of November, sent in two parts because the bank allows no more on one day. '
const comment = sentence.repeat(3).trim()

describe('a member views a transaction', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('expands a long comment, and shows a receipt whose picture fails to load as a file icon', async () => {
    const { page, expectStatus } = await testApp.visit({ width: 1440 })
    expectStatus(404) // The picture, intentionally.
    await signInAsMember(page)
    await fillDeposit(page, { login: '700123', amount: '31.07', comment })
    await depositForm(page).create.click()
    await page.route('**/cp/**', (route) => route.fulfill({ status: 404 }))
    const ticket = await acceptCreated(page)
    await page.getByRole('button', { name: openName(ticket) }).click()
    const detail = page.getByRole('region', { name: `Transaction ${ticket}` })
    const shown = comment.slice(0, limits.commentCollapsedOverChars).trimEnd()
    assert.equal(limits.commentCollapsedOverChars, 120)
    await expect(detail).toContainText(`${shown}\u2026`)
    await expect(detail).not.toContainText(comment)
    await detail.getByRole('button', { name: 'Show more' }).click()
    await expect(detail).toContainText(comment)
    await expect(detail.getByRole('link', { name: /receipt\.png/ })).toBeVisible()
    await expect(detail.locator('img')).toHaveCount(0)
  })

  it('shows a file icon for a receipt in PDF', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: makePdf() }
    const ticket = await makeDeposit(page, { login: '700123', amount: '31.08', comment: 'As a document', receipt })
    const detail = await openTransaction(page, ticket)
    const document = detail.getByRole('link', { name: /receipt\.pdf/ })
    await expect(document.locator('.tabler-icon-file-type-pdf')).toBeVisible()
  })

  it('moves between rows by the keyboard, and no longer once the member turns the shortcuts off', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    await expect(aTransaction(page)).toBeVisible()
    const focusIn = (row: number) => page.locator('tr[data-row]').nth(row).locator(':focus')
    await page.keyboard.press('j')
    await expect(focusIn(0)).toHaveCount(1)
    await page.keyboard.press('j')
    await expect(focusIn(1)).toHaveCount(1)
    await page.goto('/profile')
    await page.getByRole('checkbox', { name: 'Keyboard shortcuts in lists' }).uncheck()
    await page.goto('/funds/transactions')
    await expect(aTransaction(page)).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    await expect(focusIn(0)).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/profile')
    await page.getByRole('checkbox', { name: 'Keyboard shortcuts in lists' }).check()
  })

  it('has a tab for each kind of transaction, and filters by every provider and both types', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    await expect(aTransaction(page)).toBeVisible()
    const tabs = page.getByRole('navigation', { name: 'Funds' }).getByRole('link')
    await expect(tabs).toHaveText(['Deposits', 'Withdrawals', 'Transactions', 'Bank Accounts', 'Other Accounts'])
    await expect(page.getByRole('columnheader')).toHaveText([
      ...['Ticket', 'Account', 'Transaction', 'Payment Method', 'Status', 'Date', 'Total', 'Attachments', 'Actions'],
    ])
    await page.getByRole('combobox', { name: 'PSP' }).click()
    await expect(page.getByRole('option')).toHaveText([
      ...['CoinPayments', 'VirtualPay', 'Zotapay', 'Skrill', 'Neteller', 'SafeCharge', 'NganLuong', 'SD System'],
      'RPN Pay',
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Type' }).click()
    await expect(page.getByRole('option')).toHaveText(['Deposit', 'Withdrawal'])
  })

  it('filters by a month in the calendar by keyboard only', async () => {
    const { page } = await testApp.visit({ width: 390 })
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    await page.getByRole('button', { name: 'Filters' }).click()
    const from = page.getByRole('textbox', { name: 'From' })
    await from.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const calendar = page.getByRole('dialog', { name: 'Calendar' })
    await expect(calendar.getByRole('button', { name: 'Today' })).toBeVisible()
    await calendar.getByRole('button', { name: 'Last month' }).press('Enter')
    await expect(calendar).toBeHidden()
    await expect(from).toHaveValue(/^01\/\d\d\/\d{4}$/)
    await expect(page).toHaveURL(/from=\d{4}-\d\d-01&to=\d{4}-\d\d-(28|29|30|31)/)
    await page.getByRole('button', { name: 'Open calendar' }).last().click()
    await calendar.locator('[data-selected]').press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/to=\d{4}-\d\d-(27|28|29|30)/)
    await page.getByRole('button', { name: 'Open calendar' }).last().press('Enter')
    await calendar.getByRole('button', { name: 'Today' }).press('Escape')
    await expect(calendar).toBeHidden()
  })
})
