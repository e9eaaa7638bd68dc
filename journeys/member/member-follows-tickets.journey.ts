// spec: AO 2.9, DK tickets
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Page } from 'playwright'
import { colleagues, demoPassword } from '../../demo/harbour-markets.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member follows tickets', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const openTicket = async (page: Page, subject: string): Promise<void> => {
    await page.goto('/support')
    await page
      .getByRole('row', { name: new RegExp(subject) })
      .getByRole('link', { name: /^Open ticket/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: /^Ticket \d+$/ })).toBeVisible()
  }

  it('has one of two colleagues take the ticket, and the other sees who took it', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    const other = await testApp.visit({ width: 1280 })
    other.expectStatus(409)
    const ines = colleagues.find(({ role }) => role === 'support')
    assert.ok(ines)
    await other.page.goto('/desk/login')
    await enterCredentials(other.page, { email: ines.email, password: demoPassword })
    await expect(other.page).toHaveURL(/\/desk\/(?!login)/)
    const button = (at: Page, name: string) =>
      at.getByRole('article', { name: /^Ticket \d+$/ }).getByRole('button', { name, exact: true })
    for (const at of [page, other.page]) {
      await at.goto('/desk/tickets?q=leverage')
      await at.getByRole('link', { name: /Can I change the leverage/ }).click()
      await expect(button(at, 'Assign to me')).toBeVisible()
    }
    // Delays the other colleague's view, as on a slow connection.
    const arrived = Promise.withResolvers<void>()
    await other.page.route('**/desk/api/tickets**', async (route) => {
      if (route.request().method() === 'GET') await arrived.promise
      await route.continue()
    })
    await button(page, 'Assign to me').click()
    await expect(button(page, 'Unassign')).toBeVisible()
    await button(other.page, 'Assign to me').click()
    await expect(other.page.getByText(deskTexts.ticketTakenBy.replace('{{name}}', 'Nora Vella'))).toBeVisible()
    arrived.resolve()
    await expect(button(other.page, 'Reassign to me')).toBeVisible()
    await button(page, 'Unassign').click()
    await expect(button(page, 'Assign to me')).toBeVisible()
  })

  it('gets a file from staff, and sees the picture of its sender', async () => {
    const staff = await testApp.visit({ width: 1280 })
    await signInAsStaff(staff.page)
    await staff.page.goto('/desk/account')
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: makePng({ width: 64, height: 64 }) }
    await staff.page.getByLabel('Picture: picture').setInputFiles(picture)
    await expect(staff.page.getByText(profileTexts.pictureSaved)).toBeVisible()
    await staff.page.goto('/desk/tickets?state=taken&q=address')
    await staff.page.getByRole('link', { name: /Please confirm my address/ }).click()
    const article = staff.page.getByRole('article', { name: /^Ticket \d+$/ })
    await article.getByRole('button', { name: 'Attach a file' }).click()
    const dialog = staff.page.getByRole('dialog', { name: 'Attach a file' })
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({ ...picture, name: 'letter.png' })
    await dialog.getByRole('button', { name: /^Send to / }).click()
    await expect(article.getByRole('link', { name: /letter\.png/ })).toBeVisible()

    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/support?tab=taken')
    await page
      .getByRole('row', { name: /Please confirm my address/ })
      .getByRole('link', { name: /^Open ticket/ })
      .click()
    const thread = page.getByRole('region', { name: 'Response Thread' })
    const entry = thread.getByRole('listitem').last()
    await expect(entry.getByRole('link', { name: /letter\.png/ })).toContainText('KB')
    await expect(entry.locator('img').first()).toHaveJSProperty('complete', true)
    await expect(entry.locator('img')).toHaveCount(2)
    for (const index of [0, 1]) await expect(entry.locator('img').nth(index)).not.toHaveJSProperty('naturalWidth', 0)
  })

  it('opens a ticket about an account, and sees which account it concerns', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/accounts')
    await page.getByRole('link', { name: 'Open account 700123' }).click()
    // The page's own button; it replaces the layout's button once it renders.
    await page.getByRole('main').getByRole('button', { name: 'Complaint' }).click()
    await expect(page.getByRole('button', { name: 'Complaint' })).toHaveCount(1)
    const dialog = page.getByRole('dialog', { name: 'Complaint' })
    await expect(dialog.getByText('About: Account #700123')).toBeVisible()
    await dialog.getByLabel('Subject').fill('Wrong leverage')
    await dialog.getByLabel('Description').fill('It should be 1:50.')
    await dialog.getByRole('button', { name: 'Create Ticket' }).click()
    await expect(dialog).toBeHidden()
    await openTicket(page, 'Wrong leverage')
    const card = page.getByRole('complementary', { name: 'About this ticket' })
    await expect(card.getByRole('heading', { name: 'Trading account' })).toBeVisible()
    await expect(card.getByText('700123')).toBeVisible()
    const about = page.getByRole('complementary', { name: 'About this ticket' })
    const status = about.getByRole('combobox', { name: 'Change status' })
    await status.click()
    await page.getByRole('option', { name: 'Taken' }).click()
    await expect(about.getByText('In Progress')).toBeVisible()
    await expect(status).toBeFocused()
  })

  it('finds every ticket in its tab, by text and with its badge', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/support?tab=taken')
    const unread = page.getByRole('row', { name: /The platform closes/ })
    await expect(unread.getByText('Unread')).toBeAttached()
    await unread.getByRole('link', { name: /^Open ticket/ }).click()
    await expect(page.getByText('We can reproduce it.')).toBeVisible()
    await page.getByRole('link', { name: 'BACK' }).click()
    await expect(page.getByRole('link', { name: /^In Progress/ })).toHaveAttribute('aria-current', 'page')
    await expect(unread.getByText('Unread')).toHaveCount(0)
    await page.getByRole('link', { name: /^Closed/ }).click()
    await expect(page.getByText('Withdrawal to a new bank account')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search tickets' }).fill('statement')
    await expect(page.getByText('Statement for the last year')).toBeVisible()
    await expect(page.getByText('Withdrawal to a new bank account')).toHaveCount(0)
  })

  it('sees an empty state in each tab as a new member', async () => {
    const { page } = await testApp.visit({ width: 390, height: 844 })
    await signInAsMember(page, 'new')
    for (const [tab, words] of [
      ['open', 'created'],
      ['taken', 'in progress'],
      ['closed', 'closed'],
    ]) {
      await page.goto(`/support?tab=${tab}`)
      await expect(page.getByText(`You have no tickets ${words} yet.`)).toBeVisible()
    }
  })
})
