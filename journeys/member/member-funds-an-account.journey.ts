// spec: MP 2.1, MP 2.2, MP 2.5, MP 2.6, MP 3, MP 4, MP 5, MP 7, MP 8, AO 2.1, AO 2.2, AO 2.4, AO 2.5, AO 2.8, AO 3
// spec: AO 4, AO 5, AO 7, AO 8
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { rejectionReasons } from '@atrium/contract/funding/states.ts'
import { addAmounts, isSame } from '@atrium/contract/money/money.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { accountRow, expectRisen, readBalance } from '../kit/balances.ts'
import { approve, openAtDesk } from '../kit/deciding.ts'
import {
  acceptCreated,
  attachReceipt,
  chooseOption,
  depositForm,
  fillDeposit,
  makeDeposit,
  openTransaction,
  transactionRow,
} from '../kit/depositing.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, stopClock, untilThere } from '../kit/visit.ts'

const login = '700123'

describe('a member funds a trading account', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('signs in after seeing the errors of earlier attempts', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(401)
    await page.goto('/')
    await expect(page).toHaveURL(/\/login$/)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText(texts.loginMissing)
    await enterCredentials(page, { email: signIns.member, password: 'Not-the-password-1' })
    await expect(page.getByRole('alert')).toHaveText(sessionTexts.loginWrong)
    await enterCredentials(page, { email: 'nobody@atrium.demo', password: demoPassword })
    await expect(page.getByRole('alert')).toHaveText(sessionTexts.loginWrong)
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    await expect(page).toHaveURL(/\/home\/$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Amelia')
  })

  it("sees the platform's balances as a list or as cards, and the last choice is remembered", async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Accounts' }).click()
    await expect(page.getByRole('heading', { name: texts.accountsTitle })).toBeVisible()
    assert.ok(isSame(await readBalance(page, login), testApp.platform.account(login)?.balance ?? ''))
    await expect(page.getByText('Balances are not live')).toBeHidden()
    await expect(accountRow(page, '700901')).toContainText('Demo')
    await expect(accountRow(page, '700207')).toHaveCount(0) // Another member's account.

    await page.getByText('Card view').click({ force: true })
    const card = page.getByRole('listitem', { name: `Account ${login}` })
    await expect(card).toContainText('Valletta')
    await page.reload()
    await expect(card).toBeVisible()
    await page.getByText('List view').click({ force: true })
    await expect(accountRow(page, login)).toBeVisible()
  })

  it('shows every error of the deposit form and clears them one by one', async () => {
    const { page, expectStatus } = await testApp.visit()
    await signInAsMember(page)
    await page.getByRole('link', { name: 'Quick Deposit' }).click()
    const form = depositForm(page)
    await form.create.click()
    await expect(form.account).toBeFocused()
    await expect(form.account).toHaveAccessibleDescription(texts.fieldsMissing)
    await expect(form.amount).toHaveAccessibleDescription(texts.amountMissing)
    await expect(form.origin).toHaveAccessibleDescription(starting(texts.fieldsMissing))
    await expect(form.destination).toContainText(texts.fieldsMissing)
    await expect(form.comment).toHaveAccessibleDescription(starting(texts.fieldsMissing))
    await expect(form.receipt).toHaveAccessibleDescription(texts.receiptMissing)

    await chooseOption(page, form.account, /#700123/)
    await expect(page).toHaveURL(/\/funds\/deposit\/[0-9a-f-]{36}$/)
    await form.transfer.check()
    await expect(form.account).toHaveValue(/^#700123 \u00b7 MT5 \u00b7 Live \u00b7 USD \u00b7 [\d,]+\.\d\d$/)
    for (const [typed, sentence] of [
      ['0', texts.amountZero],
      ['1000000000', texts.amountInvalid],
    ] as const) {
      await form.amount.fill(typed)
      await form.create.click()
      await expect(form.amount).toHaveAccessibleDescription(sentence)
      await expect(form.amount).toBeFocused()
    }
    await form.amount.fill('')
    await form.amount.pressSequentially('1x2e5.5') // Keeps the typed text and refuses it.
    await form.create.click()
    await expect(form.amount).toHaveValue('1x2e5.5')
    await expect(form.amount).toHaveAccessibleDescription('Enter a number like 1,000.50.')
    await form.amount.fill('')
    await form.amount.pressSequentially('12٥,50')
    await expect(form.amount).toHaveValue('12٥,50')
    await expect(page.getByText('You pay 125.50 USD')).toBeVisible()
    await closeGaps(page)
    expectStatus(415, 422) // The server's answer to a program named as a PDF.
    await offerBadReceipts(page)
    await attachReceipt(page)
    await form.create.click()
    const ticket = await acceptCreated(page)
    await expect(transactionRow(page, ticket)).toContainText('Pending')
    await expect(transactionRow(page, ticket)).toContainText('+125.50')
  })

  it('shows server-side errors as a toast and in the form', async () => {
    const { page, expectStatus } = await testApp.visit({ hasOwnClock: true })
    expectStatus(422)
    await signInAsMember(page)
    await fillDeposit(page, { login, amount: '20.20', comment: 'Third transfer' })
    await page.route('**/members/deposits/create', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), comment: '' }) }),
    )
    const form = depositForm(page)
    // Toasts disappear after two seconds; this journey controls the clock.
    await stopClock(page)
    await form.create.click()
    await untilThere(page, page.getByRole('alert').filter({ hasText: texts.fieldsMissing }))
    await expect(form.comment).toHaveAccessibleDescription(starting(texts.fieldsMissing))
  })

  it('shows the balance increased by exactly the amount once staff have approved', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const before = await readBalance(page, login)
    const ticket = await makeDeposit(page, { login, amount: '250.25', comment: 'Savings of November' })
    await expect(transactionRow(page, ticket)).toContainText('Pending')

    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    const deposit = await openAtDesk(desk, ticket)
    await expect(deposit).toContainText('250.25')
    await expect(deposit).toContainText('Savings of November')
    await deposit.getByRole('button', { name: 'Enlarge receipt.png' }).click()
    await expect(desk.getByRole('dialog', { name: 'receipt.png' })).toBeVisible()
    await desk.keyboard.press('Escape')
    await expect(desk.getByRole('dialog')).toBeHidden()
    await approve(desk, ticket)

    // The member's open page updates without a reload.
    await expect(transactionRow(page, ticket)).toContainText('Approved')
    const credits = testApp.platform.ledger(login).filter(({ amount }) => isSame(amount, '250.25'))
    assert.equal(credits.length, 1)
    const detail = await openTransaction(page, ticket)
    await expect(detail).toContainText('Credited to your trading account')
    await expect(detail).toContainText(credits[0]?.deal ?? 'no deal on the platform')
    await expectRisen(page, login, { from: before, by: '250.25' })
    assert.ok(isSame(testApp.platform.account(login)?.balance ?? '', addAmounts(before, '250.25')))
  })

  it('shows why a deposit was rejected and what to do next', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const ticket = await makeDeposit(page, { login, amount: '76.13', comment: 'Second transfer' })
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    const deposit = await openAtDesk(desk, ticket)
    await deposit.getByRole('button', { name: 'Reject' }).click()
    const dialog = desk.getByRole('dialog', { name: `Reject deposit T-${ticket} of 76.13 USD?` })
    await dialog.getByRole('button', { name: 'Reject deposit' }).click()
    await expect(dialog).toContainText('Please choose a reason.')
    await dialog.getByRole('radio', { name: 'Amount differs from the receipt' }).check()
    await dialog.getByLabel('Note to the member (optional)').fill('The receipt says 67.13.')
    await dialog.getByRole('button', { name: 'Reject deposit' }).click()
    await expect(dialog).toBeHidden()
    await expect(deposit).toBeHidden() // The desk selects the next deposit without asking, since the sent comment is not unsaved input.

    const detail = await openTransaction(page, ticket)
    const { sentence, next } = rejectionReasons.amount_differs
    for (const words of ['Rejected', sentence, next, 'The receipt says 67.13.'])
      await expect(detail).toContainText(words)
    await page.goto('/home')
    await expect(page.getByRole('link', { name: `Transaction ${ticket} was rejected` })).toBeVisible()
    assert.equal(testApp.platform.ledger(login).filter(({ amount }) => isSame(amount, '76.13')).length, 0)
  })
})

/** A field's help text stays below its error. */
const starting = (sentence: string): RegExp => new RegExp(`^${sentence.replaceAll('.', '\\.')}`)

async function closeGaps(page: Page): Promise<void> {
  const form = depositForm(page)
  await form.create.click()
  await expect(form.origin).toBeFocused()
  await chooseOption(page, form.origin, /Another account/)
  const typed = page.getByRole('textbox', { name: 'Account number or IBAN' })
  await form.create.click()
  await expect(typed).toHaveAccessibleDescription(starting(texts.fieldsMissing))
  await typed.fill('MT84 MALT 0110 0001 2345 MTLC AST0 01S, Bank of Valletta')
  await form.create.click()
  await expect(form.destination).toContainText(texts.fieldsMissing)
  await form.destination.getByRole('radio', { name: 'Northwater Bank' }).check()
  await expect(form.destination).toContainText('60-16-13')
  await form.create.click()
  await expect(form.comment).toBeFocused()
  await form.comment.fill('Reference 100417')
  await form.create.click()
  await expect(form.comment).not.toHaveAccessibleDescription(starting(texts.fieldsMissing))
  await expect(form.receipt).toHaveAccessibleDescription(texts.receiptMissing)
}

/** Both are refused with an error message, and neither stays in the form. */
async function offerBadReceipts(page: Page): Promise<void> {
  const { receipt } = depositForm(page)
  const mimeType = 'application/pdf'
  const program = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(2_000, 1)])
  await receipt.setInputFiles({ name: 'receipt.pdf', mimeType, buffer: program })
  await expect(receipt).toHaveAccessibleDescription(/^Only the following file types are allowed: png, jpg, jpeg, pdf/)
  await receipt.setInputFiles({ name: 'scan.pdf', mimeType, buffer: Buffer.alloc(5_000_001, 32) })
  await expect(receipt).toHaveAccessibleDescription('This file is larger than 5 MB.')
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(0)
}
