// spec: MP 2.5, AO 2.4
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { acceptCreated, chooseOption, depositForm, transactionRow } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member adds demo funds', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('credits a demo account without a receipt or a decision by staff', async () => {
    const { page, expectStatus } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    await page.goto('/funds/deposit')
    const form = depositForm(page)
    await chooseOption(page, form.account, /#700901/)
    await expect(page).toHaveURL(/\/funds\/deposit-demo\/[0-9a-f-]{36}$/)
    await expect(page.getByRole('heading', { name: 'Demo deposit' })).toBeVisible()
    await expect(page.getByText('Up to 100,000.00 USD within 24 hours.')).toBeVisible()
    await expect(form.receipt).toHaveCount(0)
    await form.create.click()
    await expect(page.getByText(texts.amountMissing)).toBeVisible()
    await expect(form.amount).toBeFocused()
    await form.amount.pressSequentially('12,50')
    await expect(form.amount).toHaveValue('12,50')
    await expect(page.getByText('You add 12.50 USD')).toBeVisible()
    await form.amount.fill('100000.01')
    await form.comment.fill('To try the new platform')
    expectStatus(422)
    await form.create.click()
    // Beside its field; what-a-member-is-told covers the toast with the same text.
    const sheet = page.getByRole('form', { name: 'Demo deposit' })
    await expect(sheet.getByText(/^You can add up to 100,000.00 USD of demo funds now/)).toBeVisible()
    await form.amount.fill('12.50')
    await form.create.click()
    const ticket = await acceptCreated(page)
    const row = transactionRow(page, ticket)
    await expect(row).toContainText('Approved')
    await expect(row).toContainText('Demo funds')
    await row.getByRole('button', { name: `Open transaction ${ticket}`, exact: true }).click()
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await expect(timeline).toContainText('You requested demo funds')
    await expect(timeline).toContainText('Credited to your trading account')
  })

  it('returns to the form for live accounts when one is chosen', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    await page.goto('/funds/deposit-demo')
    await chooseOption(page, depositForm(page).account, /#700123/)
    await expect(page).toHaveURL(/\/funds\/deposit\/[0-9a-f-]{36}$/)
    await expect(depositForm(page).receipt).toBeVisible()
    assert.equal(await page.getByRole('link', { name: 'Deposits', exact: true }).getAttribute('aria-current'), 'page')
  })
})
