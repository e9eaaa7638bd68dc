// spec: MP 4, MP 8, AO 2.9, AO 5, AO 6, DK tickets
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, skipTime } from '../kit/visit.ts'

describe('a member opens a support ticket', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

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

  it('gets an answer, replies with a file, closes the ticket and reopens it', async () => {
    const { page } = await testApp.visit({ hasOwnClock: true })
    await signInAsMember(page)
    await page.goto('/home/')
    await file(page, 'A card that was refused', 'My card was refused <b>twice</b>.')
    await openTicket(page, 'A card that was refused')
    await expect(page.getByText('My card was refused <b>twice</b>.')).toBeVisible()
    await expect(page.getByText('No replies yet.')).toBeVisible()

    const desk = await testApp.visit({ width: 1280, hasOwnClock: true })
    await signInAsStaff(desk.page)
    await desk.page.goto('/desk/tickets?q=refused')
    await desk.page.getByRole('link', { name: /A card that was refused/ }).click()
    const article = desk.page.getByRole('article', { name: /^Ticket \d+$/ })
    const waiting = desk.page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /^Tickets/ })
    await expect(waiting).toHaveText(/^Tickets\d+$/)
    const before = Number(/\d+/.exec((await waiting.textContent()) ?? '')?.[0])
    await article.getByText('Note', { exact: true }).click()
    await article.getByRole('textbox', { name: 'Internal note' }).fill('Known fault of the acquirer')
    await article.getByRole('button', { name: 'Save note' }).click()
    const conversation = article.getByRole('list', { name: 'Conversation' })
    await expect(conversation.getByText('Known fault of the acquirer')).toBeVisible()
    await article.getByText('Reply', { exact: true }).click()
    await article.getByRole('textbox', { name: /^Reply to / }).fill('Please try again today.')
    await article.getByRole('button', { name: 'Send reply' }).click()
    await expect(conversation.getByText('Please try again today.')).toBeVisible()
    await expect(waiting).toHaveText(new RegExp(`^Tickets${before === 1 ? '' : before - 1}$`))

    // The answer appears without a reload, and a mail names the ticket.
    const thread = page.getByRole('region', { name: 'Response Thread' })
    await expect(thread.getByText('Please try again today.')).toBeVisible()
    await expect(thread.getByText('Nora Vella')).toBeVisible()
    const ticket = /\d+/.exec((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')?.[0]
    const { system } = testApp
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
    await skipTime(desk.page, 60_000) // The menu counts again.
    await expect(waiting).toHaveText(`Tickets${before}`)
    await page.getByRole('textbox', { name: 'Reply' }).fill('Not finished')
    await attach(page, 'screen.png', makePng({ width: 40, height: 40 }))
    await expect(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('Not finished')
    await expect(thread.getByText('Not finished')).toHaveCount(0)
    await expect(thread.getByRole('link', { name: /screen\.png/ })).toContainText('KB')

    await page.getByRole('button', { name: 'Close Ticket' }).click()
    await expect(page.getByText(/^Ticket \d+ resolved successfully$/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Close Ticket' })).toHaveCount(0)
    await page.getByRole('textbox', { name: 'Reply' }).fill('One more question.')
    await skipTime(page, limits.toastMs) // The toasts lie over the button.
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
})
