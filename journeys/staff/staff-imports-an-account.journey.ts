// spec: DK accounts
import { after, afterEach, before, describe, it } from 'node:test'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('staff find an unassigned account on the platform', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it("assign it to its member, and compare our data with the platform's", async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/accounts')
    const row = page.getByRole('listitem').filter({ hasText: '700088' })
    await expect(row).toContainText('Elena Rossi')
    await expect(row).toContainText('No member has the email address that the platform holds.')

    await row.getByRole('button', { name: 'Assign to a member: 700088' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Assign to this member' }).click()
    await expect(dialog).toContainText('No member has this customer number.')
    await expect(dialog).toContainText('Choose live or demo.')
    await dialog.getByLabel('Customer number').fill('100420')
    await dialog.getByRole('radio', { name: 'Live' }).check()
    await dialog.getByRole('button', { name: 'Assign to this member' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Platforms and portal agree')).toBeVisible()

    await page.goto('/desk/members?q=700088')
    await page.getByRole('list', { name: 'Members' }).getByRole('link').first().click()
    await page.getByRole('region', { name: 'Trading accounts' }).getByRole('link', { name: 'MT5 700088' }).click()
    const table = page.getByRole('table', { name: 'Portal and platform' })
    await expect(table.getByRole('row', { name: 'Group' })).toContainText('real\\standard-usd')
    await expect(table.getByRole('row', { name: 'Balance' })).toContainText('1,500.00')

    await page.goto('/desk/accounts')
    await chooseOption(page, page.getByRole('combobox', { name: 'Status' }), /^Settled$/)
    await expect(page.getByRole('listitem').filter({ hasText: '700088' })).toContainText(
      'Assigned to a member by Nora Vella',
    )
  })

  it("view a member's trades, filter them, and export them as a table", async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/members?q=700123')
    await page.getByRole('list', { name: 'Members' }).getByRole('link').first().click()
    await page.getByRole('region', { name: 'Trading accounts' }).getByRole('link', { name: 'MT5 700123' }).click()
    await expect(page.getByRole('table', { name: 'Open positions' })).toBeVisible()
    const history = page.getByRole('table', { name: 'Trade history' })
    await expect(history.getByRole('row').nth(2)).toBeVisible({ timeout: 30_000 })
    await chooseOption(page, page.getByRole('combobox', { name: 'Side' }), /^BUY$/)
    await expect(page).toHaveURL(/side=buy/)
    await expect(history).not.toContainText('SELL')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    await expect.poll(() => download.suggestedFilename()).toBe('trades-700123.csv')
  })
})
