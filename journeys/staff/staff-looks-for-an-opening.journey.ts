// spec: DK accounts
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member reports that a new account is missing', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('staff find its state and have the platform searched again', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.getByRole('link', { name: 'Account applications', exact: true }).click()
    const list = page.getByRole('list', { name: 'Account applications' })
    await expect(list.getByRole('listitem').first()).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search by member' }).fill('100417')
    await expect(page).toHaveURL(/q=100417/)
    await chooseOption(page, page.getByRole('combobox', { name: 'Outcome' }), /^Not opened$/)
    await expect(page).toHaveURL(/state=not_opened/)
    const row = list.getByRole('listitem')
    await expect(row).toHaveCount(1)
    await expect(row).toContainText('Amelia Hart, customer 100417')
    await row.getByRole('button', { name: /Check again/ }).click()
    await expect(page.getByText('The platform is being searched.')).toBeVisible()
    await expect(row).toContainText(/Not found at the last check (just now|\d+ seconds? ago|now)/, { timeout: 30_000 })

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    await expect.poll(() => download.suggestedFilename()).toBe('openings.csv')
    await chooseOption(page, page.getByRole('combobox', { name: 'Outcome' }), /^Opened$/)
    await row.first().getByRole('link', { name: 'The account' }).click()
    await expect(page.getByRole('table', { name: 'Portal and platform' })).toBeVisible()
  })

  it('a list of the desk has shortcuts, selection, saved filters and a choice of columns', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/trading-accounts')
    const table = page.getByRole('table', { name: 'Accounts' })
    await expect(table.getByRole('link', { name: /^Open account/ }).first()).toBeVisible()
    await page.keyboard.press('j')
    await expect(table.getByRole('link', { name: /^Open account/ }).first()).toBeFocused()
    await page.keyboard.press('x')
    await expect(page.getByText('Selected: 1')).toBeVisible()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export selected' }).click(),
    ])
    assert.equal((await readFile(await download.path(), 'utf8')).trim().split('\r\n').length, 2)

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Equity' }).click()
    await expect(table.getByRole('columnheader', { name: 'Equity' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await chooseOption(page, page.getByRole('combobox', { name: 'Type' }), /^Demo$/)
    await expect(page).toHaveURL(/kind=demo/)
    await page.getByRole('button', { name: 'Saved filters' }).click()
    const saved = page.getByRole('dialog', { name: 'Saved filters' })
    await saved.getByRole('textbox', { name: 'Save these filters as' }).fill('Practice')
    await saved.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(saved.getByRole('button', { name: 'Practice', exact: true })).toBeVisible()

    await page.goto('/desk/trading-accounts')
    await expect(table.getByRole('columnheader', { name: 'Balance' })).toBeVisible()
    await expect(table.getByRole('columnheader', { name: 'Equity' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await saved.getByRole('button', { name: 'Practice', exact: true }).click()
    await expect(page).toHaveURL(/kind=demo/)
  })
})
