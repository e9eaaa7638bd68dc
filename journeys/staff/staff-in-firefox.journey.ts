import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { approve, openAtDesk } from '../kit/deciding.ts'
import { makeDeposit, transactionRow } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '700123'

/** The desk's main tasks; `ATRIUM_TEST_BROWSER=firefox` runs every other journey in Firefox manually. */
describe('in Firefox staff', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp({ engine: 'firefox' })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const deskOf = async (): Promise<Page> => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsStaff(page)
    return page
  }

  it('open every page of the menu', async () => {
    const page = await deskOf()
    const links = await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link').all()
    assert.ok(links.length > 15, `${links.length}`)
    for (const link of links) {
      await link.click()
      await expect(link).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\S/)
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    }
  })

  it('approve a deposit, which its member then sees credited', async () => {
    const { page: member } = await testApp.visit()
    await signInAsMember(member)
    const ticket = await makeDeposit(member, { login, amount: '63.20', comment: 'From Firefox to the desk' })
    const desk = await deskOf()
    await openAtDesk(desk, ticket)
    await approve(desk, ticket)
    await member.goto('/funds/transactions')
    await expect(transactionRow(member, ticket)).toContainText('Approved')
  })

  it('open a member from the list of all accounts', async () => {
    const page = await deskOf()
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill(login)
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: `Open account ${login}` }) })
    await row.getByRole('link', { name: 'Amelia Hart' }).click()
    await expect(
      page.getByRole('article', { name: /Amelia Hart/ }).or(page.getByText('Amelia Hart').first()),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/desk\/members\/[0-9a-f-]{36}/)
  })

  it('filter the audit log by a week in the calendar, and by one day of it', async () => {
    const page = await deskOf()
    await page.goto('/desk/audit')
    await page.getByRole('button', { name: 'Open calendar' }).first().click()
    const calendar = page.getByRole('dialog', { name: 'Calendar' })
    await calendar.getByRole('button', { name: 'Last 7 days' }).click()
    await expect(calendar).toBeHidden()
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/)
    await page.getByRole('button', { name: 'Open calendar' }).first().click()
    await calendar.locator('[aria-current="date"]').click()
    await expect(calendar).toBeHidden()
    const { searchParams } = new URL(page.url())
    assert.equal(searchParams.get('from'), searchParams.get('to'))
  })
})
