// spec: MP 2.2, MP 2.5, MP 3, MP 4, MP 6, MP 7, AO 2.1, AO 2.5, AO 6
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { brokerage, demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member signs in, signs out and returns', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('signs out only after confirming, and leaves no data behind', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    await expect(page.getByRole('table', { name: 'Transactions' })).toContainText('+1,200.00')
    const token = await tokenOf(page)
    assert.equal(await testApp.statusWith(token), 200)

    await askToLeave(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click()
    await expect(page).toHaveURL(/\/funds\/transactions/)
    assert.equal(await testApp.statusWith(token), 200)

    await askToLeave(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect.poll(() => testApp.statusWith(token)).toBe(401)

    await page.goBack()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.locator('body')).not.toContainText('1,200.00')
  })

  it('returns to the linked page after signing in', async () => {
    const { page } = await testApp.visit()
    await page.goto('/funds/transactions?status=rejected')
    await expect(page).toHaveURL(/\/login$/)
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    await expect(page).toHaveURL(/\/funds\/transactions\?status=rejected$/)
    await expect(page.getByRole('table', { name: 'Transactions' })).toContainText('Rejected')
    await expect(page.getByRole('table', { name: 'Transactions' })).not.toContainText('Approved')
  })

  it('signs in again and continues on the same page after the session ended elsewhere', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await page.goto('/accounts')
    visit.expectStatus(401)
    await page.evaluate(
      "sessionStorage.setItem('atrium.portal.session', sessionStorage.getItem('atrium.portal.session') + 'x')",
    )
    await page.reload()
    await expect(page).toHaveURL(/\/login$/)
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    await expect(page).toHaveURL(/\/accounts$/)
  })

  it('shows another member no data of the first', async () => {
    const first = await testApp.visit()
    await signInAsMember(first.page)
    await first.page.goto('/funds/transactions')
    await first.page.getByRole('button', { name: 'Open transaction 1014', exact: true }).click()
    await expect(first.page.getByRole('region', { name: 'Transaction 1014' })).toBeVisible()
    const transactionAddress = first.page.url()
    await first.page.goto('/accounts')
    await first.page.getByRole('link', { name: 'Deposit to account 700123' }).click()
    await expect(first.page.getByRole('combobox', { name: 'Trading account' })).toHaveValue(/#700123/)
    const depositAddress = first.page.url()

    const second = await testApp.visit()
    await signInAsMember(second.page, 'second')
    await second.page.goto('/accounts')
    await expect(second.page.getByRole('table', { name: 'Trading accounts' })).toContainText('700207')
    await expect(second.page.locator('body')).not.toContainText(/700123|700124|700901/)
    await second.page.goto(transactionAddress)
    await expect(second.page.getByRole('table', { name: 'Transactions' })).toContainText('+15,250.75')
    await expect(second.page.locator('body')).not.toContainText(/1014|\+1,200\.00|700123/)
    await second.page.goto(depositAddress)
    await expect(second.page.getByText(texts.accountUnknown)).toBeVisible()
    await expect(second.page.locator('body')).not.toContainText('700123')
  })

  it('cannot sign in at the desk, and staff cannot sign in at the portal', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(401)
    await page.goto('/desk/login')
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    await expect(page.getByRole('alert')).toHaveText(sessionTexts.loginWrong)
    await page.goto('/login')
    await enterCredentials(page, { email: signIns.staff, password: demoPassword })
    await expect(page.getByRole('alert')).toHaveText(sessionTexts.loginWrong)
  })

  it('no longer sees a feature that the brokerage turned off', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await expect(menu.getByRole('link', { name: 'Support' })).toBeVisible()
    await setFeatures({ support: false, deposits: false })
    await page.reload()
    await expect(menu.getByRole('link', { name: 'Accounts' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Support' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Quick Deposit' })).toHaveCount(0)
    for (const path of ['/support', '/funds/deposit']) {
      await page.goto(path)
      await expect(page.getByText(texts.notFoundPage)).toBeVisible()
    }
    await setFeatures({})
    await page.goto('/support')
    await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible()
  })

  it('sees a not-found page for an unknown address, with a link home', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/no/such/page')
    await expect(page.getByText('The requested page is not available.')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to home' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Amelia')
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    await desk.goto('/desk/no/such/page')
    await expect(desk.getByText('The requested page is not available.')).toBeVisible()
  })

  async function setFeatures(changes: Record<string, boolean>): Promise<void> {
    const { system } = testApp
    await inTransaction(system, (tx) =>
      tx
        .updateTable('workspaces')
        .set({ features: JSON.stringify({ ...brokerage.features, ...changes }) })
        .where('workspace_id', '=', system.workspaceId)
        .execute(),
    )
  }
})

async function askToLeave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile menu of Amelia Hart' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('dialog')).toContainText(texts.logoutConfirm)
}

async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate<string>("sessionStorage.getItem('atrium.portal.session')")
  return stored.split(' ')[1] ?? ''
}
