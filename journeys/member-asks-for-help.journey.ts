import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { profileTexts } from '@atrium/contract/profile-texts.ts'
import { ticketTexts } from '@atrium/contract/ticket-texts.ts'
import type { Page } from 'playwright'
import { colleagues, demoPassword, signIns } from '../demo/harbour-markets.ts'
import { mailsTo } from '../tests/fixtures/mailbox.ts'
import { makePng } from '../tests/fixtures/sample-files.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect } from './visit.ts'

describe('a member asks for help', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endVisits())
  after(() => stage.close())

  async function file(page: Page, subject: string, description: string): Promise<void> {
    await page.getByRole('button', { name: 'Complaint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Complaint' })
    await dialog.getByLabel('Subject').fill(subject)
    await dialog.getByLabel('Description').fill(description)
    await dialog.getByRole('button', { name: 'Create Ticket' }).click()
    await expect(page.getByText(ticketTexts.created)).toBeVisible()
    await expect(dialog).toBeHidden()
  }

  const openTicket = async (page: Page, subject: string): Promise<void> => {
    await page.goto('/support')
    await page
      .getByRole('row', { name: new RegExp(subject) })
      .getByRole('link', { name: /^Open ticket/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: /^Ticket \d+$/ })).toBeVisible()
  }

  it('is answered, writes back with a file, closes the ticket and opens it again', async () => {
    const { page } = await stage.visit()
    await signInAsMember(page)
    await page.goto('/home/')
    await file(page, 'A card that was refused', 'My card was refused <b>twice</b>.')
    await openTicket(page, 'A card that was refused')
    await expect(page.getByText('My card was refused <b>twice</b>.')).toBeVisible()
    await expect(page.getByText('Nothing was answered yet.')).toBeVisible()

    const desk = await stage.visit({ width: 1280 })
    await signInAsStaff(desk.page)
    await desk.page.goto('/desk/tickets?q=refused')
    await desk.page.getByRole('link', { name: /A card that was refused/ }).click()
    const article = desk.page.getByRole('article', { name: /^Ticket \d+$/ })
    const waiting = desk.page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /^Tickets/ })
    await expect(waiting).toHaveText(/^Tickets\d+$/)
    const before = Number(/\d+/.exec((await waiting.textContent()) ?? '')?.[0])
    await article.getByText('Note', { exact: true }).click()
    await article.getByRole('textbox', { name: 'Internal note' }).fill('Known fault of the acquirer')
    await article.getByRole('button', { name: 'Keep note' }).click()
    const conversation = article.getByRole('list', { name: 'Conversation' })
    await expect(conversation.getByText('Known fault of the acquirer')).toBeVisible()
    await article.getByText('Reply', { exact: true }).click()
    await article.getByRole('textbox', { name: /^Reply to / }).fill('Please try again today.')
    await article.getByRole('button', { name: 'Send reply' }).click()
    await expect(article.getByText('Please try again today.')).toBeVisible()
    await expect(waiting).toHaveText(new RegExp(`^Tickets${before === 1 ? '' : before - 1}$`))

    // Nothing was loaded anew: the answer comes by itself, with a mail that names the ticket.
    const thread = page.getByRole('region', { name: 'Response Thread' })
    await expect(thread.getByText('Please try again today.')).toBeVisible()
    await expect(thread.getByText('Nora Vella')).toBeVisible()
    const ticket = /\d+/.exec((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')?.[0]
    const { system } = stage
    const mail = (await mailsTo(system, signIns.member)).at(-1)
    assert.equal(mail?.subject, `Ticket ${ticket} was answered`)
    assert.ok(!mail.text.includes('Please try again today.'))
    await expect(page.getByText('Known fault of the acquirer')).toHaveCount(0)
    await expect(page.getByText('In Progress')).toBeVisible()

    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('textbox', { name: 'Reply' })).toHaveAccessibleDescription(ticketTexts.messageMissing)
    await page.getByRole('textbox', { name: 'Reply' }).fill('It works, thank you.')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(thread.getByText('It works, thank you.')).toBeVisible()
    await expect(waiting).toHaveText(`Tickets${before}`)
    await attach(page, 'screen.png', makePng({ width: 40, height: 40 }))
    await expect(thread.getByRole('link', { name: /screen\.png/ })).toContainText('KB')

    await page.getByRole('button', { name: 'Close Ticket' }).click()
    await expect(page.getByText(/^Ticket \d+ resolved successfully$/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Close Ticket' })).toHaveCount(0)
    await page.getByRole('textbox', { name: 'Reply' }).fill('One more question.')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('button', { name: 'Close Ticket' })).toBeVisible()
    await page.getByRole('link', { name: 'BACK' }).click()
    await expect(page.getByRole('link', { name: /^Opened/ })).toBeVisible()
  })

  async function attach(page: Page, name: string, buffer: Buffer): Promise<void> {
    await page.getByRole('button', { name: 'Add Attachment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Attachment' })
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/png', buffer })
    await expect(dialog.getByText('Uploaded')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(ticketTexts.attachmentAdded).last()).toBeVisible()
    await expect(dialog).toBeHidden()
  }

  it('from two colleagues at once, of whom one takes the ticket and the other is told by whom', async () => {
    const { page } = await stage.visit({ width: 1280 })
    await signInAsStaff(page)
    const other = await stage.visit({ width: 1280 })
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
      await expect(button(at, 'Take')).toBeVisible()
    }
    // What the other one looks at stays as it is for a moment, as on a slow line.
    const arrived = Promise.withResolvers<void>()
    await other.page.route('**/desk/api/tickets**', async (route) => {
      if (route.request().method() === 'GET') await arrived.promise
      await route.continue()
    })
    await button(page, 'Take').click()
    await expect(button(page, 'Let go')).toBeVisible()
    await button(other.page, 'Take').click()
    await expect(other.page.getByText(deskTexts.ticketTakenBy.replace('{{name}}', 'Nora Vella'))).toBeVisible()
    arrived.resolve()
    await expect(button(other.page, 'Take over')).toBeVisible()
    await button(page, 'Let go').click()
    await expect(button(page, 'Take')).toBeVisible()
  })

  it('and gets a file from staff, who wear a picture', async () => {
    const staff = await stage.visit({ width: 1280 })
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

    const { page } = await stage.visit()
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

  it('about an account, and sees which one it is about', async () => {
    const { page } = await stage.visit()
    await signInAsMember(page)
    await page.goto('/accounts')
    await page.getByRole('link', { name: 'Open account 700123' }).click()
    // The one of the page; the frame's own stands back once it is there.
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
  })

  it('and finds every ticket in its tab, by words, and with its mark', async () => {
    const { page } = await stage.visit()
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

  it('and somebody new is told that there is nothing yet, in each tab', async () => {
    const { page } = await stage.visit({ width: 390, height: 844 })
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
