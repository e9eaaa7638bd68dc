// spec: MP 2.7, MP 5, MP 8, DK documents
import { after, afterEach, before, describe, it } from 'node:test'
import { documentTexts, rejectReasons } from '@atrium/contract/documents/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { Locator, Page } from 'playwright'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, skipTime } from '../kit/visit.ts'

describe('a member verifies their identity', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  type KycDocument = { category: string; kind: RegExp; validUntil?: string; name: string }
  const passport: KycDocument = {
    category: 'Proof of identity',
    kind: /Passport/,
    validUntil: '31/12/2034',
    name: 'pass.png',
  }

  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: makePng({ width: 60, height: 40 }) })

  async function add(page: Page, { category, kind, validUntil, name }: KycDocument): Promise<void> {
    await page.getByRole('button', { name: `Add: ${category}` }).click()
    const dialog = page.getByRole('dialog', { name: `Add a file: ${category}` })
    await chooseOption(page, dialog.getByRole('combobox', { name: 'Document' }), kind)
    await dialog.locator('input[type=file]').first().setInputFiles(picture(name))
    await expect(dialog.getByText('Uploaded', { exact: true })).toBeVisible()
    if (validUntil) await enterDay(dialog, 'Add the file', validUntil)
    await dialog.getByRole('button', { name: 'Add the file' }).click()
    await expect(page.getByText(documentTexts.added).first()).toBeVisible()
    await expect(dialog).toBeHidden()
  }

  /** Refuses an invalid date, and does not send the earlier valid one instead. */
  async function enterDay(dialog: Locator, button: string, day: string): Promise<void> {
    const field = dialog.getByLabel('Valid until')
    await field.fill(day)
    await field.fill(day.replace(/^\d\d/, '32'))
    await dialog.getByRole('button', { name: button }).click()
    await expect(field).toHaveAccessibleDescription(/date|until/)
    await field.fill(day)
  }

  async function openAtDesk(desk: Page, name: string): Promise<void> {
    await desk.goto('/desk/documents?q=Tanabe')
    await desk.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
    await expect(desk.getByRole('heading', { level: 2, name })).toBeVisible()
  }

  async function verify(desk: Page, name: string): Promise<void> {
    await openAtDesk(desk, name)
    await desk.getByRole('button', { name: 'Verify', exact: true }).click()
    const dialog = desk.getByRole('dialog')
    if (name.startsWith('pass')) await enterDay(dialog, 'Verify document', passport.validUntil ?? '')
    await dialog.getByRole('button', { name: 'Verify document' }).click()
    await expect(desk.getByRole('dialog')).toBeHidden()
  }

  const needs = (page: Page) => page.getByRole('list', { name: 'What we need from you' })
  const need = (page: Page, name: string) => needs(page).getByRole('listitem').filter({ hasText: name })

  it('shows missing documents, why a KYC document was rejected, and finally the verified state', async () => {
    const { page } = await testApp.visit({ hasOwnClock: true })
    await signInAsMember(page, 'new')
    await page.goto('/documents')
    await expect(page.getByRole('heading', { name: '0 of 2 approved' })).toBeVisible()
    await expect(need(page, 'Proof of identity')).toContainText('Missing')
    await expect(page.getByText(documentTexts.none).first()).toBeVisible()

    await add(page, passport)
    const addAddress = page.getByRole('button', { name: 'Add: Proof of address' })
    await expect(addAddress).toBeDisabled() // Checked first, since the button is disabled only for a short time.
    await expect(need(page, 'Proof of identity')).toContainText('In verification')
    await expect(page.getByRole('link', { name: 'pass.png' })).toBeVisible()

    const desk = (await testApp.visit({ width: 1280 })).page
    await signInAsStaff(desk)
    await openAtDesk(desk, 'pass.png')
    await expect(desk.getByRole('img', { name: 'Document pass.png' })).toBeVisible()
    await desk.keyboard.press('+')
    await expect(desk.getByRole('status', { name: 'Zoom' })).toHaveText('150%')
    await desk.keyboard.press('.')
    await expect(desk.getByRole('img', { name: 'Document pass.png' })).toHaveCSS('rotate', '90deg')
    await desk.keyboard.press('0')
    await expect(desk.getByRole('status', { name: 'Zoom' })).toHaveText('100%')
    await desk.keyboard.press('r')
    const dialog = desk.getByRole('dialog', { name: 'Reject pass.png of Yuki Tanabe?' })
    await dialog.getByRole('button', { name: 'Reject document' }).click()
    await expect(dialog.getByText('Please give a reason')).toBeVisible()
    await dialog.getByRole('radio', { name: rejectReasons[0] }).check()
    await dialog.getByRole('button', { name: 'Reject document' }).click()
    await expect(dialog).toBeHidden()

    // Without a reload.
    await expect(need(page, 'Proof of identity')).toContainText('Rejected')
    await expect(page.getByText(rejectReasons[0])).toBeVisible()
    await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
    const notifications = page.getByRole('dialog', { name: 'Notifications' })
    await expect(notifications.getByText('Your document was not accepted')).toBeVisible()
    await page.keyboard.press('Escape')

    await skipTime(page, limits.uploadDisabledMs)
    await expect(addAddress).toBeEnabled()
    await add(page, { ...passport, name: 'pass again.png' })
    await verify(desk, 'pass again.png')
    await expect(page.getByRole('heading', { name: '1 of 2 approved' })).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Approved documents' })).toHaveAttribute('aria-valuenow', '1')

    await skipTime(page, limits.uploadDisabledMs)
    await expect(addAddress).toBeEnabled()
    await add(page, { category: 'Proof of address', kind: /Utility bill/, name: 'water.png' })
    await verify(desk, 'water.png')
    await expect(page.getByRole('heading', { name: 'Your identity is verified' })).toBeVisible()
  })

  it('sees the accepted types when a file of another type is refused', async () => {
    const { page } = await testApp.visit({ width: 390, height: 844 })
    await signInAsMember(page, 'second')
    await page.goto('/documents')
    await expect(page.getByRole('heading', { name: 'Your identity is verified' })).toBeVisible()
    await page.getByRole('button', { name: 'Add a file: Other documents' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a file: Other documents' })
    await dialog.getByRole('button', { name: 'Add the file' }).click()
    await expect(dialog.getByText(documentTexts.fileUnknown).first()).toBeVisible()
    const program = { name: 'photo.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') }
    await dialog.locator('input[type=file]').first().setInputFiles(program)
    await expect(dialog.getByText(/^Only the following file types are allowed: /)).toBeVisible()
  })
})
