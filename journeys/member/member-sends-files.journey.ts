// spec: MP 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { firstPartBytes } from '@atrium/contract/files/part-size.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Locator, Page } from 'playwright'
import { makePdf, makePng } from '../../tests/fixtures/sample-files.ts'
import { chooseOption, depositForm } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, type Visit } from '../kit/visit.ts'

describe('a member uploads files', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const png = { name: 'receipt.png', mimeType: 'image/png', buffer: makePng({ width: 320, height: 200 }) }
  /** The test sends megabytes to the browser first, which takes a while on a busy machine. */
  const handingOver = { timeout: 60_000 }
  /** Uploaded in several parts. */
  const large = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: makePdf('% a line\n'.repeat(700_000)) }
  const sent = (within: Page | Locator) => within.getByText('Uploaded', { exact: true })
  const bar = (within: Page | Locator) => within.getByRole('progressbar')
  const target = (within: Page | Locator) => within.getByRole('button', { name: /Choose a file/ })
  const paused = (within: Page | Locator) => within.getByRole('button', { name: /You can choose the next file/ })
  const remove = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}` }).click()

  async function openDeposit(visit: Visit): Promise<Page> {
    const { page } = visit
    await signInAsMember(page)
    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, /#700123/)
    await depositForm(page).transfer.check()
    await expect(target(page)).toBeVisible()
    return page
  }

  /** The file target of a support message. */
  async function openAttachment(page: Page): Promise<Locator> {
    await signInAsMember(page)
    await page.goto('/support?tab=taken')
    const row = page.getByRole('row', { name: /The platform closes/ })
    await row.getByRole('link', { name: /^Open ticket/ }).click()
    await page.getByRole('button', { name: 'Add Attachment' }).click()
    return page.getByRole('dialog', { name: 'Add Attachment' })
  }

  /** Slow enough to observe the progress. */
  async function slowDown({ context, page }: Visit): Promise<void> {
    const browser = await context.newCDPSession(page)
    const line = { latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 }
    await browser.send('Network.emulateNetworkConditions', { offline: false, ...line })
  }

  const shareOf = async (within: Page | Locator) => Number(await bar(within).getAttribute('aria-valuenow'))

  /** The start offset of each chunk that the browser sent. */
  function watchParts(page: Page): number[] {
    const offsets: number[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    })
    return offsets
  }

  /** As text, because it runs in the page: the data of a drag or a paste. */
  const carrying = ({ name, mimeType, buffer }: typeof png) => `(() => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (mark) => mark.charCodeAt(0))
    transfer.items.add(new File([bytes], '${name}', { type: '${mimeType}' }))
    return transfer
  })()`

  async function drop(page: Page, place: Locator, file: typeof png): Promise<void> {
    await place.dispatchEvent('drop', { dataTransfer: await page.evaluateHandle(carrying(file)) })
  }

  async function paste(page: Page, file: typeof png): Promise<void> {
    await page.evaluate(`document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: ${carrying(file)}, bubbles: true }))`)
  }

  it('uploads by dropping and pasting, and sees which files are refused; the target is disabled after each file', async () => {
    const page = await openDeposit(await testApp.visit())
    const { receipt } = depositForm(page)
    await receipt.setInputFiles({ name: 'setup.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
    const types = fileTexts.fileTypes.replace('{{types}}', uploadPurposes.receipt.extensions.join(', '))
    const allowed = `${types} This is a program.`
    await expect(page.getByRole('alert').filter({ hasText: allowed })).toBeVisible()
    await receipt.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(5_000_001) })
    await expect(page.getByText(fileTexts.fileTooLarge.replace('{{size}}', '5 MB'))).toBeVisible()
    await receipt.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) })
    await expect(page.getByText(fileTexts.fileEmpty)).toBeVisible()

    await drop(page, target(page), png)
    await expect(sent(page)).toBeVisible()
    await remove(page, png.name)
    await expect(paused(page)).toBeDisabled()
    await expect(target(page)).toBeEnabled({ timeout: limits.uploadDisabledMs + 15_000 })
    await paste(page, { ...png, name: 'screenshot.png' })
    await expect(sent(page)).toBeVisible()
    await expect(page.getByText('screenshot.png')).toBeVisible()
  })

  it('sees errors that the server finds in the content', async () => {
    const visit = await testApp.visit()
    const page = await openDeposit(visit)
    visit.expectStatus(422)
    await depositForm(page).receipt.setInputFiles({ ...png, buffer: Buffer.from('<svg onload="alert(1)"/>') })
    await expect(
      page
        .getByRole('alert')
        .filter({ hasText: /^Only the following file types are allowed: .* This is an SVG drawing\./ }),
    ).toBeVisible()
    await expect(target(page)).toBeVisible()
  })

  it('uploads only into the open target: a drop beside it, or a paste behind a dialog, has no effect', async () => {
    const page = await openDeposit(await testApp.visit())
    const opened = await page.evaluate(`document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer: ${carrying(png)}, bubbles: true, cancelable: true }))`)
    assert.equal(opened, false)
    await page.getByRole('button', { name: 'Complaint' }).first().click()
    await expect(page.getByRole('dialog', { name: 'Complaint' })).toBeVisible()
    await paste(page, png)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Complaint' })).toBeHidden()
    await expect(target(page)).toBeVisible()
  })

  it('uploads with a phone’s camera', async () => {
    const page = await openDeposit(await testApp.visit({ width: 390, isTouched: true }))
    await expect(page.getByRole('button', { name: 'Take a picture' })).toBeVisible()
    const camera = page.locator('input[type=file][capture=environment]')
    assert.equal(await camera.getAttribute('accept'), 'image/*')
    await camera.setInputFiles({ ...png, name: 'image.jpg.png' })
    await expect(sent(page)).toBeVisible()
  })

  it('sees the progress of a large file and cancels it', async () => {
    const visit = await testApp.visit()
    const dialog = await openAttachment(visit.page)
    await slowDown(visit)
    const gone = visit.page.waitForResponse((response) => response.request().method() === 'DELETE')
    await dialog.locator('input[type=file]').first().setInputFiles(large, handingOver)
    await expect.poll(() => shareOf(dialog)).toBeGreaterThan(5)
    await dialog.getByRole('button', { name: 'Cancel the upload' }).click()
    await expect(target(dialog)).toBeEnabled()
    assert.equal((await gone).status(), 204)
  })

  it('resumes a large upload after a short network failure', async () => {
    const visit = await testApp.visit()
    const { page, context } = visit
    const dialog = await openAttachment(page)
    const parts = watchParts(page)
    await slowDown(visit)
    visit.expectFailure('ERR_INTERNET_DISCONNECTED')
    await dialog.locator('input[type=file]').first().setInputFiles(large, handingOver)
    await expect.poll(() => shareOf(dialog), { timeout: 30_000 }).toBeGreaterThan(40)
    const before = parts.length
    await context.setOffline(true)
    await expect.poll(() => parts.length, { timeout: 30_000 }).toBe(before)
    await context.setOffline(false)
    await expect(sent(dialog)).toBeVisible({ timeout: 60_000 })
    const after = parts.slice(before)
    assert.ok(after.length > 0 && after.every((offset) => offset >= firstPartBytes), `resumed at ${after}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(ticketTexts.attachmentAdded).last()).toBeVisible()
    await expect(page.getByRole('link', { name: /statement\.pdf/ })).toContainText('KB')
  })

  it('sends smaller parts through a proxy that refuses large requests', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    const dialog = await openAttachment(page)
    const parts = watchParts(page)
    visit.expectStatus(413)
    await page.route('**/media/uploads/*', (route) => {
      const isSecond = parts.length === 2 && route.request().method() === 'PATCH'
      return isSecond ? route.fulfill({ status: 413 }) : route.continue()
    })
    await dialog.locator('input[type=file]').first().setInputFiles(large, handingOver)
    await expect(sent(dialog)).toBeVisible({ timeout: 60_000 })
    assert.deepEqual(parts.slice(0, 3), [0, firstPartBytes, firstPartBytes])
    // The line is fast, so nothing else keeps the parts small.
    const sizes = parts.slice(3).map((offset, at) => offset - (parts[at + 2] ?? 0))
    assert.ok(sizes.length >= 4 && sizes.every((size) => size <= firstPartBytes), `parts at ${parts}`)
  })

  it('asks to resume after a long network failure, and uploads no chunk twice', async () => {
    const visit = await testApp.visit()
    const { page, context } = visit
    const dialog = await openAttachment(page)
    const parts = watchParts(page)
    visit.expectFailure('ERR_FAILED')
    visit.expectFailure('ERR_INTERNET_DISCONNECTED')
    await page.route('**/media/finish-upload', (route) => route.abort())
    await dialog.locator('input[type=file]').first().setInputFiles(large, handingOver)
    await expect(dialog.getByText(fileTexts.uploadBroken)).toBeVisible({ timeout: 60_000 })
    const whole = parts.length
    // The line is fast, so the second part is larger than the first.
    assert.deepEqual(parts.slice(0, 2), [0, firstPartBytes])
    assert.ok(whole <= 4, `in parts at ${parts}`)
    await page.unroute('**/media/finish-upload')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(sent(dialog)).toBeVisible()
    assert.equal(parts.length, whole)

    await dialog.getByRole('button', { name: `Remove ${large.name}` }).click()
    await expect(target(dialog)).toBeEnabled({ timeout: limits.uploadDisabledMs + 15_000 })
    await context.setOffline(true)
    await dialog.locator('input[type=file]').first().setInputFiles(png)
    await expect(dialog.getByRole('button', { name: 'Continue' })).toBeVisible()
    await context.setOffline(false)
    await expect(sent(dialog)).toBeVisible()
  })
})
