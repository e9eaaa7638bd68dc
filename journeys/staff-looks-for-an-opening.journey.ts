// spec: DK accounts
import { after, afterEach, before, describe, it } from 'node:test'
import { chooseOption } from './depositing.ts'
import { signInAsStaff } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect } from './visit.ts'

describe('a member says that the account never came', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endVisits())
  after(() => stage.close())

  it('staff find what became of it, and have the platform looked through once more', async () => {
    const { page } = await stage.visit({ width: 1280 })
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
    await expect(row).toContainText(/Searched for and not found (just now|\d+ seconds? ago|now)/, { timeout: 30_000 })

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    await expect.poll(() => download.suggestedFilename()).toBe('openings.csv')
    await chooseOption(page, page.getByRole('combobox', { name: 'Outcome' }), /^Opened$/)
    await row.first().getByRole('link', { name: 'The account' }).click()
    await expect(page.getByRole('table', { name: 'Portal and platform' })).toBeVisible()
  })
})
