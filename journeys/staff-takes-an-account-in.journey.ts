import { after, afterEach, before, describe, it } from 'node:test'
import { signInAsStaff } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect } from './visit.ts'

describe('staff find an account at the platform that nobody knows', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endVisits())
  after(() => stage.close())

  it('give it to the member whose it is, and see it as we have it beside what the platform has', async () => {
    const { page } = await stage.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/accounts')
    const row = page.getByRole('listitem').filter({ hasText: '700088' })
    await expect(row).toContainText('Elena Rossi')
    await expect(row).toContainText('No member has the address that stands at the platform.')

    await row.getByRole('button', { name: 'Give to a member: 700088' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Give to this member' }).click()
    await expect(dialog).toContainText('No member has this customer number.')
    await expect(dialog).toContainText('Choose live or demo.')
    await dialog.getByLabel('Customer number').fill('100420')
    await dialog.getByRole('radio', { name: 'Live' }).check()
    await dialog.getByRole('button', { name: 'Give to this member' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Platforms and portal agree')).toBeVisible()

    await page.goto('/desk/members?q=700088')
    await page.getByRole('list', { name: 'Members' }).getByRole('link').first().click()
    await page.getByRole('link', { name: 'MT5 700088' }).click()
    const table = page.getByRole('table', { name: 'Portal and platform' })
    await expect(table.getByRole('row', { name: 'Group' })).toContainText('real\\standard-usd')
    await expect(table.getByRole('row', { name: 'Balance' })).toContainText('1,500.00')
  })
})
