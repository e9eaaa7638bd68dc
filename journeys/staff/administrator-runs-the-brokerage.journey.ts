// spec: DK staff, DK workspace
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const password = 'Tidal-Gauge-71'
const logo = join(import.meta.dirname, '../../demo/receipts/transfer.png')

describe('an administrator of the brokerage', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('changes the branding, and a member sees it', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await expect(page.getByRole('article')).toBeVisible() // Keys pressed before the screen is ready have no effect.
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    const brand = page.getByRole('form', { name: 'Brand' })
    await brand.getByLabel('Name').fill('Lighthouse Markets')
    await brand.getByLabel('Accent', { exact: true }).fill('#9a3412')
    await expect(brand.getByRole('group', { name: 'How it will look' })).toContainText(/buttons \d+\.\d:1/)
    await page.getByRole('link', { name: 'Features' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click() // Unsaved changes are not discarded by accident.
    await brand.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Saved. It takes effect now, for everybody.')).toBeVisible()
    await brand.getByLabel('Logo: picture').setInputFiles(logo)
    await expect(brand.getByRole('img', { name: 'Current logo' })).toHaveAttribute('src', /\/brand\/logos\//)
    const member = (await testApp.visit()).page
    await member.goto('/login')
    await expect(member.getByText('Lighthouse Markets').first()).toBeVisible()
    await expect(member.locator('img[src^="/brand/logos/"]').first()).toBeVisible()
    await signInAsMember(member)
    await expect(member.getByText('Lighthouse Markets').first()).toBeVisible()
  })

  it('turns a feature off, and it disappears from a member’s menu with the next load', async () => {
    const member = (await testApp.visit()).page
    await signInAsMember(member)
    const menu = member.getByRole('navigation', { name: 'Main menu' })
    await expect(menu.getByRole('link', { name: 'Support' })).toBeVisible()
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/settings/features')
    await page.getByRole('checkbox', { name: 'Support' }).uncheck()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes to save.')).toBeVisible()
    await member.reload()
    await expect(menu.getByRole('link', { name: 'Accounts' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Support' })).toHaveCount(0)
  })

  it('sees what another tab has changed, and overwrites it only after confirming', async () => {
    const { page, newTab, expectStatus } = await testApp.visit()
    expectStatus(409)
    await signInAsStaff(page)
    await page.goto('/desk/settings/lists')
    await expect(page.getByRole('list', { name: 'Departments' })).toBeVisible() // As it was before the other tab saved.
    const other = await newTab()
    await signInAsStaff(other)
    await other.goto('/desk/settings/lists')
    await other.getByRole('textbox', { name: 'Add to Departments' }).fill('Night desk')
    await other.keyboard.press('Enter')
    await other.getByRole('button', { name: 'Save changes' }).click()
    await expect(other.getByText('No changes to save.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Add to Vendors' }).fill('North')
    await page.getByRole('button', { name: 'Add it to Vendors' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText(/has changed this in the meantime: Departments/)).toBeVisible()
    await expect(page.getByRole('list', { name: 'Departments' })).toContainText('Night desk')
    await expect(page.getByRole('textbox', { name: 'Name of North' })).toHaveValue('North')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes to save.')).toBeVisible()
  })

  it('edits the lists that members choose from, and archives entries that are no longer offered', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/settings/taxonomies')
    await page.getByLabel('List', { exact: true }).selectOption('Document types')
    await page.getByLabel('Name of Proof of address').fill('Utility bill')
    await page.getByRole('button', { name: 'Move Utility bill up' }).click()
    await page.getByRole('button', { name: 'Archive Source of funds' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes to save.')).toBeVisible()
    const list = page.getByRole('list', { name: 'Document types', exact: true })
    await expect(list.getByRole('textbox').first()).toHaveValue('Utility bill')
    await page.reload()
    await page.getByLabel('List', { exact: true }).selectOption('Document types')
    await page.getByText('Archived: 1').click()
    await page.getByRole('button', { name: 'Restore Source of funds' }).click()
    await expect(list.getByRole('textbox')).toHaveCount(5)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(list.getByRole('textbox')).toHaveCount(4)

    await page.goto('/desk/settings/vendors')
    await page.getByLabel('Vendor', { exact: true }).selectOption('Harbour Prime')
    await page.getByLabel('Default currency').fill('gbp')
    await page.getByRole('checkbox', { name: 'Funding' }).check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes to save.')).toBeVisible()
    const answer = await page.request.get('/members/crm-settings?vendor=Harbour%20Prime')
    const { settings } = (await answer.json()) as { settings: { default_currency: string; departments: string[] } }
    assert.deepEqual([settings.default_currency, settings.departments], ['GBP', ['Funding']])

    const shownLogo = page.getByRole('img', { name: 'The logo of Harbour Prime' })
    await expect(shownLogo).toHaveCount(0)
    await page.getByLabel('Logo: picture').setInputFiles(logo)
    await expect(shownLogo).toHaveAttribute('src', /^\/brand\/logos\//)
    await page.getByRole('button', { name: 'Use the brokerage’s logo' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove this picture?' })
    await removal.getByRole('button', { name: 'Use the brokerage’s logo' }).click()
    await expect(page.getByRole('img', { name: 'The logo of the brokerage' })).toBeVisible()
  })

  it('invites a colleague, who sets a password, sees only what the role allows, and is signed out when locked', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/staff')
    await page.getByRole('button', { name: 'Invite a colleague' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a colleague' })
    await dialog.getByLabel('Name').fill('Vera Viewer')
    // A wrong key does not discard the input.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Do you want to exit before saving?' }).getByText('Cancel').click()
    await dialog.getByLabel('Email').fill('vera@harbour.test')
    await dialog.getByRole('radio', { name: 'Viewer' }).check()
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'vera@harbour.test' })
    await expect(row).toContainText('Invited')

    const visit = await testApp.visit()
    const colleague = visit.page
    await colleague.goto(await linkFor(colleague, 'vera@harbour.test'))
    await expect(colleague.getByRole('heading', { level: 1, name: 'Welcome to the desk' })).toBeVisible()
    assert.doesNotMatch(colleague.url(), /reset-password\/./)
    await colleague.getByLabel('New password', { exact: true }).fill(password)
    await colleague.getByLabel('Confirm new password').fill(password)
    await colleague.getByRole('button', { name: 'Set password' }).click()
    await expect(colleague.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await enterCredentials(colleague, { email: 'vera@harbour.test', password })
    await expect(colleague).toHaveURL(/\/desk\/deposits/)
    const menu = colleague.getByRole('navigation', { name: 'Main menu' })
    await expect(menu.getByRole('link', { name: 'Deposits' })).toBeVisible()
    for (const place of ['Settings', 'Staff']) await expect(menu.getByRole('link', { name: place })).toHaveCount(0)
    await colleague.goto('/desk/settings')
    await expect(colleague.getByText('Your role has no access to this page')).toBeVisible()

    visit.expectStatus(401)
    await page.reload()
    await row.getByRole('button', { name: 'Actions for Vera Viewer' }).click()
    await page.getByRole('menuitem', { name: 'Lock' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
    await expect(row).toContainText('Locked')
    await colleague.goto('/desk/deposits')
    await expect(colleague.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  })

  it('changes their own password and sees their open desk sessions', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/account')
    await expect(page.getByText('This device')).toBeVisible()
    const form = page.getByRole('form', { name: 'Change password' })
    await form.getByLabel('Current password').fill('Harbour-2026')
    await form.getByLabel('New password', { exact: true }).fill(password)
    await form.getByLabel('Confirm new password').fill(password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Your password has been changed.')).toBeVisible()
  })
})

/** The link in the newest mail to an address, from the demo mailbox. */
async function linkFor(page: Page, email: string): Promise<string> {
  await page.goto('/dev/mailbox')
  const mail = page.getByRole('article').filter({ hasText: email }).first()
  const address = await mail.getByRole('link', { name: /\/desk\/reset-password\// }).getAttribute('href')
  return new URL(address ?? '').pathname
}
