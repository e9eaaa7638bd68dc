// spec: DK mails
import { after, afterEach, before, describe, it } from 'node:test'
import { signIns } from '../../demo/harbour-markets.ts'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a mail was not delivered', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('staff see why, retry or dismiss it, and the menu shows how many are open', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    const place = page.getByRole('link', { name: /^Emails/ })
    await expect(place).toContainText('3')
    await place.click()
    const rows = page.getByRole('list', { name: 'Undelivered emails' }).getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await expect(rows.first()).toContainText('The mail server does not know this address.')
    await expect(rows.last()).toContainText('It contained a password link')
    await expect(rows.last().getByRole('button', { name: /^Try again/ })).toHaveCount(0)

    await chooseOption(page, page.getByRole('combobox', { name: 'Outcome' }), /^Not delivered$/)
    await expect(page).toHaveURL(/state=failed/)
    await expect(rows).toHaveCount(2)
    await page.goto('/desk/mails')
    await page.getByRole('searchbox', { name: 'Search emails' }).fill(signIns.sales)
    await expect(rows).toHaveCount(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    await expect.poll(() => download.suggestedFilename()).toBe('mails.csv')

    await page.goto('/desk/mails')
    const all = page.getByRole('button', { name: 'Retry all' })
    await all.click()
    const question = page.getByRole('dialog', { name: 'Retry all emails?' })
    await expect(question).toContainText('could arrive twice')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toBeHidden()
    await expect(rows).toHaveCount(3)
    await all.click()
    await question.getByRole('button', { name: 'Retry all' }).click()
    await expect(page.getByText('Emails being sent again: 1')).toBeVisible()
    await expect(rows).toHaveCount(2)
    // A mail that may have arrived needs a staff decision, and one without content cannot be sent.
    await expect(all).toHaveCount(0)

    await rows
      .first()
      .getByRole('button', { name: /^Try again/ })
      .click()
    await expect(page.getByText('The email is being sent again.')).toBeVisible()
    await expect(rows).toHaveCount(1)
    await expect(place).toContainText('1')
    await rows.getByRole('button', { name: /^Dismiss/ }).click()
    await expect(page.getByText('All emails were delivered')).toBeVisible()
  })
})
