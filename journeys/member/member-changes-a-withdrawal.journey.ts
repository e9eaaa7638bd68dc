// spec: AO 4, AO 8
import { after, afterEach, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import type { Page } from 'playwright'
import { acceptCreated, chooseOption } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

describe('a member changes or cancels a withdrawal', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('cancels it before a decision and has the amount available again', async () => {
    const { page } = await testApp.visit({ width: 390 })
    await signInAsMember(page)
    await fillWithdrawal(page, { login: '700123', amount: '40.00', comment: 'Changed my mind' })
    await withdrawalForm(page).create.click()
    const ticket = await acceptCreated(page)
    const row = page.getByRole('button', { name: `Open Withdrawal ${ticket}`, exact: true })
    await row.click()
    const sheet = page.getByRole('dialog', { name: `Transaction ${ticket}`, exact: true })
    await sheet.getByRole('button', { name: 'Cancel withdrawal' }).click()
    const question = page.getByRole('dialog', { name: `Cancel withdrawal ${ticket}`, exact: true })
    await expect(question).toContainText(texts.transactionCancelConfirm)
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(sheet).toBeVisible()
    await sheet.getByRole('button', { name: 'Cancel withdrawal' }).click()
    await question.getByRole('button', { name: 'Cancel withdrawal' }).click()
    await expect(page.getByText(texts.transactionDeleted)).toBeVisible()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('listitem').filter({ has: row })).toContainText('Cancelled')
  })

  it('shows every missing field and an amount above the available balance', async () => {
    const { page, expectStatus } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    await page.goto('/funds/withdraw')
    const form = withdrawalForm(page)
    await chooseOption(page, form.account, /#700123/)
    await expect(page).toHaveURL(/\/funds\/withdraw\/[0-9a-f-]{36}$/)
    await form.create.click()
    await expect(page.getByText(withdrawalTexts.beneficiaryMissing)).toBeVisible()
    await expect(form.destination).toBeFocused()
    await fillWithdrawal(page, { login: '700123', amount: '9999999', comment: 'Everything' })
    await expect(page.getByText(withdrawalTexts.balanceTooLow).first()).toBeVisible()
    expectStatus(422)
    await form.create.click()
    await expect(form.amount).toBeFocused()
  })

  it('clears the chosen beneficiary account when the beneficiary kind or the account changes', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    await fillWithdrawal(page, { login: '700123', amount: '1', comment: 'Cleared' })
    const form = withdrawalForm(page)
    await chooseOption(page, form.destination, /^Crypto transfer$/)
    await chooseOption(page, form.destination, /^Bank account$/)
    await expect(form.beneficiaryAccount).toHaveValue('')
    await chooseOption(page, form.beneficiaryAccount, /Banca Adriatica/)
    await chooseOption(page, form.account, /#700124/)
    await expect(form.destination).toHaveValue('')
  })

  it('keeps staff on the withdrawal they opened when another colleague decides it meanwhile', async () => {
    const reader = (await testApp.visit({ width: 1366 })).page
    await signInAsStaff(reader)
    await reader.goto('/desk/withdrawals')
    const shown = reader.getByRole('article', { name: /^Withdrawal T-/ })
    const name = (await shown.getAttribute('aria-label')) ?? ''
    const row = (page: Page) =>
      page
        .getByRole('list', { name: 'Withdrawals' })
        .getByRole('link', { name: new RegExp(`${name.split(' ')[1]}\\b`) })
    await expect(row(reader)).toBeVisible()

    const decider = (await testApp.visit({ width: 1366 })).page
    await signInAsStaff(decider)
    await decider.goto('/desk/withdrawals')
    await row(decider).click()
    await decider.getByRole('article', { name }).getByRole('button', { name: 'Reject' }).click()
    const dialog = decider.getByRole('dialog')
    await dialog.getByRole('radio').first().check()
    await dialog.getByRole('button', { name: 'Reject withdrawal' }).click()
    await expect(dialog).toBeHidden()

    await expect(row(reader)).toHaveCount(0)
    await expect(shown).toHaveAccessibleName(name)
    await expect(shown).toContainText('Rejected')
  })
})
