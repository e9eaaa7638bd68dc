// spec: DK documents
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { unverifyReasons } from '@atrium/contract/documents/texts.ts'
import { pdfFramePath } from '@atrium/contract/files/pdf-frame.ts'
import type { Frame, FrameLocator, Page } from 'playwright'
import { makeSheets } from '../../demo/receipt.ts'
import { type SignedWebhook, startSumsubSimulator } from '../../simulators/sumsub/simulator.ts'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

/** Counts the nearly black and nearly white pixels of the canvas. */
const inkOf = `(() => {
  const canvas = document.querySelector('canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let dark = 0
  let light = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 200 && data[at] < 90) dark += 1
    if (data[at + 3] > 200 && data[at] > 240) light += 1
  }
  return { dark, light }
})()`

/** What a malicious file would try first after taking over the frame. */
const reachOut = `(async () => {
  const readOrRefusal = async (act) => {
    try {
      return JSON.stringify((await act()) ?? null)
    } catch {
      return 'refused'
    }
  }
  return {
    'the page around': await readOrRefusal(() => parent.document.title),
    'what the desk keeps': await readOrRefusal(() => sessionStorage.length + localStorage.length),
    cookies: await readOrRefusal(() => document.cookie),
    'an origin': self.origin === 'null' ? 'refused' : self.origin,
  }
})()`

/** Presses a key in the same task in which the document's picture is inserted, before it is painted. */
const pressAtOnce = `new MutationObserver((_, observer) => {
  if (!document.querySelector('img[alt^="Document "]')) return
  observer.disconnect()
  document.dispatchEvent(new KeyboardEvent('keydown', { key: '+', code: 'Equal', bubbles: true }))
}).observe(document, { childList: true, subtree: true })`

function inside(desk: Page): Frame {
  const frame = desk.frame({ url: (address) => address.pathname === pdfFramePath })
  assert.ok(frame)
  return frame
}

describe('staff review KYC documents', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Opens the second member's page of KYC documents, from one of them. */
  async function openKycDocuments(desk: Page): Promise<void> {
    await desk.goto('/desk/documents?state=approved&q=Tax letter')
    await desk.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
    await desk.getByRole('link', { name: /, customer \d+$/ }).click()
    await expect(desk.getByRole('region', { name: 'Required documents' })).toBeVisible()
  }

  /** Opens the second member's first approved letter, with `content` as its file. */
  async function openLetter(desk: Page, content?: Buffer): Promise<FrameLocator> {
    if (content)
      await desk.route('**/cp/private/**', (route) => route.fulfill({ body: content, contentType: 'application/pdf' }))
    await desk.goto('/desk/documents?state=approved&q=Tax letter')
    await desk.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
    return desk.frameLocator('iframe[title="Document Tax letter.pdf"]')
  }

  it('can press a key as soon as a KYC document appears', async () => {
    const desk = (await testApp.visit({ width: 1280 })).page
    await signInAsStaff(desk)
    await desk.addInitScript(pressAtOnce)
    await desk.goto('/desk/documents?q=Passport')
    await desk.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
    await expect(desk.getByRole('status', { name: 'Zoom' })).toHaveText('150%')
  })

  it('read a PDF in a frame that cannot access the desk', async () => {
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    const answer = desk.waitForResponse((response) => response.url().endsWith(pdfFramePath))
    const frame = await openLetter(desk)
    const policy = (await answer).headers()['content-security-policy'] ?? ''
    for (const part of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox allow-scripts'])
      assert.ok(policy.split('; ').includes(part), policy)
    const sheet = frame.getByRole('img', { name: 'Page 1 of 1' })
    await expect(sheet).toBeVisible()
    const { dark, light } = (await inside(desk).evaluate(inkOf)) as { dark: number; light: number }
    assert.ok(dark > 200 && light > 20 * dark, `${dark} dark and ${light} light points: no rendered page`)
    const reached = (await inside(desk).evaluate(reachOut)) as Record<string, string>
    for (const [what, how] of Object.entries(reached)) assert.equal(how, 'refused', what)
    assert.deepEqual(Object.keys(reached), ['the page around', 'what the desk keeps', 'cookies', 'an origin'])
  })

  it('turn pages, zoom also from within the frame, and rotate', async () => {
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    const frame = await openLetter(desk, makeSheets([['One'], ['Two'], ['Three']]))
    const at = desk.getByRole('status', { name: 'Page' })
    await expect(at).toHaveText('Page 1 of 3')
    await desk.getByRole('button', { name: 'Next page' }).click()
    await expect(at).toHaveText('Page 2 of 3')
    const sheet = frame.getByRole('img', { name: 'Page 2 of 3' })
    const widthOf = async () => (await sheet.boundingBox())?.width ?? 0
    await expect(sheet).toBeVisible()
    const before = await widthOf()
    await frame.getByRole('main').press('+')
    await expect(desk.getByRole('status', { name: 'Zoom' })).toHaveText('150%')
    await expect.poll(widthOf).toBeGreaterThan(before * 1.4)
    await expect(at).toHaveText('Page 2 of 3')
    await desk.getByRole('button', { name: 'Fit to width' }).click()
    await desk.getByRole('button', { name: 'Rotate right' }).click()
    const isLying = () =>
      inside(desk).evaluate("Array.from(document.querySelectorAll('canvas'), (c) => c.width > c.height)")
    await expect.poll(async () => ((await isLying()) as boolean[]).every(Boolean)).toBe(true)
  })

  it('see a message for a broken PDF and for one that needs a password', async () => {
    const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'01'.repeat(32)}> /U <${'02'.repeat(32)}> >> /ID [<00><00>] `
    for (const [content, words] of [
      [Buffer.from('%PDF-1.7 and nothing'), /may be damaged/],
      [makeSheets([['Secret']], locked), /requires a password/],
    ] as const) {
      const desk = (await testApp.visit()).page
      await signInAsStaff(desk)
      await openLetter(desk, content)
      await expect(desk.getByText(words)).toBeVisible()
      await expect(desk.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'Tax letter.pdf')
      await testApp.endVisits()
    }
  })

  it('request another document and revoke a verification, and the member sees both', async () => {
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    await openKycDocuments(desk)
    await desk.getByRole('button', { name: 'Ask for another document' }).click()
    const asking = desk.getByRole('dialog', { name: /^Ask .+ for another document$/ })
    await asking.getByRole('button', { name: 'Ask the member' }).click()
    await expect(asking.getByText('Please choose one of the listed categories.')).toBeVisible()
    await chooseOption(desk, asking.getByRole('combobox', { name: 'Category' }), /Other documents/)
    await asking.getByRole('textbox', { name: /^What exactly is needed/ }).fill('The last payslip of this year')
    await asking.getByRole('button', { name: 'Ask the member' }).click()
    await expect(asking).toBeHidden()
    const asked = desk.getByRole('region', { name: 'Required documents' })
    await expect(asked.getByText('The last payslip of this year')).toBeVisible()

    await desk.getByRole('link', { name: 'Tax letter.pdf' }).click()
    await desk.getByRole('button', { name: 'Revoke the verification' }).click()
    const taking = desk.getByRole('dialog', { name: /^Revoke the verification of Tax letter\.pdf/ })
    await taking.getByRole('radio', { name: unverifyReasons[2] }).check()
    await taking.getByRole('button', { name: 'Revoke' }).click()
    await expect(taking).toBeHidden()

    const { page } = await testApp.visit({ width: 390, height: 844 })
    await signInAsMember(page, 'second')
    await page.goto('/documents')
    await expect(page.getByRole('heading', { name: '1 of 3 approved' })).toBeVisible()
    const needs = page.getByRole('list', { name: 'What we need from you' })
    await expect(needs.getByText('The last payslip of this year')).toBeVisible()
    await expect(page.getByText(unverifyReasons[2])).toBeVisible()

    await openKycDocumentsAgain(desk)
    await desk.getByRole('button', { name: /^Stop requesting / }).click()
    const stopping = desk.getByRole('dialog', { name: /^Stop requesting / })
    await stopping.getByRole('button', { name: 'Stop requesting' }).click()
    await expect(desk.getByText('No longer requested').first()).toBeVisible()
    await expect(desk.getByText('Verification revoked').first()).toBeVisible()
    await expect(page.getByRole('heading', { name: '1 of 2 approved' })).toBeVisible({ timeout: 45_000 })
  })

  async function openKycDocumentsAgain(desk: Page): Promise<void> {
    await desk.goto('/desk/documents?state=pending&q=Tax letter')
    await desk.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
    await desk.getByRole('link', { name: /, customer \d+$/ }).click()
    await expect(desk.getByRole('region', { name: 'Required documents' })).toBeVisible()
  }

  it('set the document requirements and their order, and members are asked for them', async () => {
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    await desk.goto('/desk/document-categories')
    await desk.getByRole('button', { name: 'Add a category to General' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Add a category' })
    await dialog.getByRole('button', { name: 'Save category' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Source of wealth')
    await dialog.getByRole('checkbox', { name: /^Required/ }).uncheck()
    await dialog.getByRole('button', { name: 'Add a document' }).click()
    await dialog.getByRole('textbox', { name: 'Name of document 1' }).fill('Sale of a house')
    await dialog.getByRole('button', { name: 'Save category' }).click()
    await expect(dialog).toBeHidden()
    const general = desk.getByRole('region', { name: 'General' })
    await expect(general.getByRole('listitem').nth(3)).toContainText('Source of wealth')
    await general.getByRole('button', { name: 'Move Source of wealth up' }).click()
    await expect(general.getByRole('listitem').nth(2)).toContainText('Source of wealth')

    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/documents')
    await expect(page.getByRole('button', { name: 'Add a file: Source of wealth' })).toBeVisible()

    await general.getByRole('button', { name: 'Archive Source of wealth' }).click()
    await expect(general.getByRole('listitem').nth(3)).toContainText('Archived')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Add a file: Proof of address' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a file: Source of wealth' })).toHaveCount(0)

    await desk.getByRole('textbox', { name: 'For which members' }).fill('Companies')
    await desk.getByRole('button', { name: 'Add the set' }).click()
    await expect(desk.getByRole('region', { name: 'Companies' }).getByText('Nothing is required')).toBeVisible()

    await desk.getByRole('button', { name: 'Edit Proof of address' }).click()
    const editing = desk.getByRole('dialog', { name: 'Edit Proof of address' })
    await editing.getByRole('checkbox', { name: /^Required/ }).uncheck()
    await expect(editing.getByText(/^Members who lack nothing else are approved/)).toBeVisible()
    await editing.getByRole('checkbox', { name: /^Required/ }).check()
    await expect(editing.getByText(/^Members who lack nothing else are approved/)).toBeHidden()
  })

  it('move a member to another set of documents, after a question', async () => {
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    await openKycDocumentsAgain(desk)
    const set = desk.getByRole('combobox', { name: 'Document set' })
    const question = desk.getByRole('dialog', { name: /^Require the documents of Companies from / })
    for (const answer of ['Cancel', 'Change the set']) {
      await expect(set).toHaveValue('General')
      await chooseOption(desk, set, /Companies/)
      await question.getByRole('button', { name: answer }).click()
      await expect(question).toBeHidden()
    }
    await expect(set).toHaveValue('Companies')
  })

  it('send members to an identity vendor, whose signed callback counts', async () => {
    const vendor = await startSumsubSimulator()
    try {
      const desk = (await testApp.visit()).page
      await signInAsStaff(desk)
      await desk.goto('/desk/document-categories')
      const form = desk.getByRole('form', { name: 'Identity checks by Sumsub' })
      await form.getByRole('switch', { name: 'Offer identity checks to members' }).check()
      await form.getByLabel('Address', { exact: true }).fill(vendor.url)
      await form.getByLabel('Level').fill(vendor.keys.level)
      await form.getByLabel('App token').fill(vendor.keys.appToken)
      await form.getByLabel('Secret key').fill(vendor.keys.secretKey)
      await form.getByLabel('Secret of the webhook').fill(vendor.keys.webhookSecret)
      await form.getByRole('button', { name: 'Save changes' }).click()
      await expect(form.getByText('No changes to save.')).toBeVisible()
      await expect(form.getByLabel('Secret key')).toHaveValue('')
      await desk.getByRole('button', { name: 'Edit Proof of identity' }).click()
      const dialog = desk.getByRole('dialog', { name: 'Edit Proof of identity' })
      await dialog.getByRole('checkbox', { name: /^An approved identity check/ }).check()
      await dialog.getByRole('button', { name: 'Save category' }).click()
      await expect(dialog).toBeHidden()

      const { page } = await testApp.visit({ width: 390, height: 844 })
      await signInAsMember(page, 'new')
      await page.goto('/documents')
      await page.getByRole('button', { name: 'Start the identity check' }).click()
      await expect(page.getByRole('link', { name: 'Continue at Sumsub' })).toHaveAttribute('href', /^https:/)
      const [applicant] = vendor.control.applicants()
      assert.ok(applicant)
      await sendWebhook(vendor.control.review(applicant.externalUserId, { reviewAnswer: 'GREEN' }))
      await expect(page.getByRole('heading', { name: '1 of 2 approved' })).toBeVisible({ timeout: 45_000 })
      await expect(page.getByRole('link', { name: 'Continue at Sumsub' })).toHaveCount(0, { timeout: 45_000 })
    } finally {
      await vendor.close()
    }
  })

  async function sendWebhook({ body, headers }: SignedWebhook): Promise<void> {
    const answer = await fetch(`${testApp.url}/callbacks/identity/sumsub`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200)
  }
})
