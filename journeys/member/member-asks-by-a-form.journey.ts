// spec: AO 2.10, AO 4, AO 8
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, beside, required, step } from '@atrium/contract/forms/form-parts.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { Locator, Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { addOffered, type Offered } from '../../tests/fixtures/forms.ts'
import { makePdf } from '../../tests/fixtures/sample-files.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const moving = {
  steps: [
    step('move', 'Your move', [
      ask('yes_no', 'has_moved', 'Have you moved?', { config: required }),
      ask('text', 'street', 'Street', { config: required }),
    ]),
    step('sums', 'Your income', [
      ask('decimal', 'monthly', 'Income a month', { config: required }),
      beside(ask('formula', 'yearly', 'Income a year', { config: { formula: '{monthly} * 12' } })),
      ask('consent', 'agrees', 'What I say is true', { config: required }),
    ]),
  ],
  show_conditions: { street: { '==': [{ var: 'has_moved' }, 'yes'] } },
  input_name_conditions: {},
  result_bands: [],
}

/** With its own buttons, KYC documents and a signature. */
const documentsTemplate = {
  steps: [
    step('documents', 'Documents', [
      ask('files', 'proofs', 'Proofs', { config: { ...required, count_max: 2, file_types: ['pdf'] } }),
      ask('button', 'on', 'To the signature', { config: { button: 'next' } }),
    ]),
    step('hand', 'Your hand', [
      ask('signature', 'signed', 'Signature', { config: required }),
      ask('button', 'off', 'To the documents', { config: { button: 'back' } }),
      beside(ask('button', 'send', 'Hand it in', { config: { button: 'submit' } })),
    ]),
  ],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
}

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: makePdf(name) })

describe('a member sends a request by a form', () => {
  let testApp: TestApp
  let system: System
  let move: Offered
  let documentsForm: Offered
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
    move = await addOffered(system, moving)
    documentsForm = await addOffered(system, documentsTemplate)
    await rename(move, 'Moving house')
    await rename(documentsForm, 'Documents by hand')
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const rename = ({ typeId }: Offered, name: string) =>
    inTransaction(system, (tx) =>
      tx
        .updateTable('request_types')
        .set({ name, description: `About: ${name}` })
        .where('workspace_id', '=', system.workspaceId)
        .where('request_type_id', '=', typeId)
        .execute(),
    )
  const listSent = ({ typeId }: Offered) =>
    inTransaction(system, (tx) =>
      tx
        .selectFrom('requests')
        .select(['subject', 'description', 'status'])
        .where('workspace_id', '=', system.workspaceId)
        .where('request_type_id', '=', typeId)
        .orderBy('request_id')
        .execute(),
    )

  const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })
  async function openForm(page: Page, name: string): Promise<Locator> {
    await page.goto('/requests')
    await page.getByRole('list', { name: 'Requests' }).getByRole('button', { name }).click()
    const opened = dialog(page, name)
    await expect(opened.getByRole('form', { name })).toBeVisible()
    return opened
  }
  const saved = (within: Locator | Page) => expect(within.getByText(/^Saved /)).toBeVisible()
  const press = (within: Locator | Page, name: string) => within.getByRole('button', { name, exact: true }).click()
  const openNewest = async (page: Page) => {
    await page.getByRole('link', { name: /^History/ }).click()
    await page
      .getByRole('link', { name: /^Open request/ })
      .first()
      .click()
  }

  it('continues a draft on another device, sends it once, and cancels the request with a reason', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(409)
    await signInAsMember(page)
    const form = await openForm(page, 'Moving house')
    await expect(form.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '1')
    await expect(form.getByText('Step 1 of 2')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Back', exact: true })).toHaveCount(0)
    await expect(form.getByLabel('Street')).toHaveCount(0)
    await press(form, 'Next')
    await expect(form.getByText(validatorTexts.required)).toBeVisible()
    await expect(form.getByText('Please fill all the required fields.')).toBeVisible()
    await form.getByRole('radio', { name: 'Yes' }).check()
    await expect(form.getByText(validatorTexts.required)).toHaveCount(0)
    await form.getByLabel('Street').fill('Kaistr. 4')
    await saved(form)

    // Another device continues where this one was.
    const { page: other } = await testApp.visit({ width: 390 })
    await signInAsMember(other)
    const again = await openForm(other, 'Moving house')
    await expect(again.getByLabel('Street')).toHaveValue('Kaistr. 4')
    await press(again, 'Next')
    await expect(again.getByRole('heading', { name: 'Your income' })).toBeFocused()
    await press(again, 'Back')
    await again.getByLabel('Street').fill('Kaistr. 5')
    await press(again, 'Next')
    await again.getByLabel('Income a month').fill('1250.50')
    await expect(again.getByText('15,006', { exact: true })).toBeVisible()
    await saved(again)

    // The first device shows the conflict, and neither overwrites the other’s answers unseen.
    await form.getByLabel('Street').fill('Kaistr. 6')
    await expect(form.getByText(submissionTexts.draftElsewhere)).toBeVisible()
    await press(form, 'Load the saved version')
    await expect(form.getByLabel('Income a month')).toHaveValue('1250.50')
    await press(form, 'Back')
    await expect(form.getByLabel('Street')).toHaveValue('Kaistr. 5')
    await press(form, 'Next')
    await form.getByRole('checkbox', { name: 'What I say is true' }).check()
    await form.getByRole('button', { name: 'Submit Request' }).dblclick()
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
    await expect(dialog(page, 'Moving house')).toHaveCount(0)
    // The type sets subject and description, so the form does not ask for them.
    assert.deepEqual(await listSent(move), [
      { subject: 'Moving house', description: 'About: Moving house', status: 'not-assigned' },
    ])

    await openNewest(page)
    const answers = page.getByRole('region', { name: 'Your answers' })
    await expect(answers).toContainText('Kaistr. 5')
    await expect(answers.getByRole('heading', { name: 'Your income' })).toBeVisible()
    await expect(answers).toContainText('15,006')
    // Side by side, as in the form.
    const boxOf = async (name: string) => answers.locator('dt', { hasText: name }).boundingBox()
    const [left, right] = [await boxOf('Income a month'), await boxOf('Income a year')]
    assert.ok(left && right && left.y === right.y && left.x < right.x)

    await press(page, 'Cancel request')
    const cancelling = page.getByRole('dialog', { name: /^Cancel request/ })
    await press(cancelling, 'Cancel request')
    await expect(cancelling.getByText(requestTexts.commentMissing)).toBeVisible()
    await cancelling.getByLabel('Comment').fill('I stay where I am.')
    await press(cancelling, 'Cancel request')
    await expect(page.getByText(requestTexts.cancelled)).toBeVisible()
    await expect(page.getByText('Canceled', { exact: true })).toBeVisible()
    await expect(page.getByText('I stay where I am.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel request' })).toHaveCount(0)
  })

  it('asks before unsaved answers are left', async () => {
    const { page, expectFailure } = await testApp.visit()
    expectFailure('net::ERR_FAILED')
    await signInAsMember(page)
    await page.route('**/forms/drafts/save', (route) => route.abort())
    const form = await openForm(page, 'Moving house')
    await form.getByRole('radio', { name: 'Yes' }).check()
    await form.getByLabel('Street').fill('Never kept')
    await expect(form.getByText(/^Not saved yet/)).toBeVisible()
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Do you want to exit before saving?' })
    await press(question, 'Cancel')
    await expect(form.getByLabel('Street')).toHaveValue('Never kept')
    await page.keyboard.press('Escape')
    await press(question, 'Ok')
    await expect(form).toHaveCount(0)

    // By a link on the request's page.
    await page.goto(`/requests-types/${move.typeId}`)
    await page.getByRole('radio', { name: 'No' }).check()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Support/ })
      .first()
      .click()
    await press(question, 'Cancel')
    await expect(page).toHaveURL(/\/requests-types\//)
    // Once the answers are saved, leaving asks nothing.
    await page.unroute('**/forms/drafts/save')
    await page.getByRole('radio', { name: 'Yes' }).check()
    await saved(page)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Support/ })
      .first()
      .click()
    await expect(page).toHaveURL(/\/support/)
  })

  it("uploads KYC documents and a signature by the form's own buttons", async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    const form = await openForm(page, 'Documents by hand')
    for (const name of ['Next', 'Back', 'Submit Request'])
      await expect(form.getByRole('button', { name, exact: true })).toHaveCount(0)
    await press(form, 'To the signature')
    await expect(form.getByText(validatorTexts.required)).toBeVisible()
    const target = form.getByRole('button', { name: /^Choose a file/ })
    const choose = async (file: ReturnType<typeof pdf>) => {
      // The button is disabled for a while after each file.
      await expect(target).toBeEnabled({ timeout: 30_000 })
      const chooser = page.waitForEvent('filechooser')
      await target.click()
      await (await chooser).setFiles(file)
    }
    await choose({ name: 'bill.png', mimeType: 'image/png', buffer: Buffer.from('nothing') })
    await expect(form.getByText('Only the following file types are allowed: pdf.')).toBeVisible()
    await choose(pdf('lease.pdf'))
    await expect(form.getByRole('button', { name: 'Remove lease.pdf' })).toBeVisible()
    await choose(pdf('bill.pdf'))
    await expect(form.getByRole('button', { name: 'Remove bill.pdf' })).toBeVisible()
    // The maximum is reached: there is no button for a third file.
    await expect(form.getByRole('button', { name: /choose/i })).toHaveCount(0)
    await press(form, 'To the signature')

    await expect(form.getByRole('heading', { name: 'Your hand' })).toBeVisible()
    await press(form, 'Hand it in')
    await expect(form.getByText(validatorTexts.required)).toBeVisible()
    const pad = form.getByRole('img', { name: /^Sign here/ })
    const sign = async () => {
      await pad.scrollIntoViewIfNeeded()
      const box = await pad.boundingBox()
      assert.ok(box)
      await page.mouse.move(box.x + 40, box.y + 100)
      await page.mouse.down()
      await page.mouse.move(box.x + 120, box.y + 40, { steps: 8 })
      await page.mouse.move(box.x + 200, box.y + 110, { steps: 8 })
      await page.mouse.up()
    }
    await sign()
    visit.expectFailure('ERR_FAILED')
    await page.route('**/media/cp-upload-image*', (route) => route.abort())
    await press(form, 'Use this signature')
    const broken = form.getByText(texts.requestFailed)
    await expect(broken).toBeVisible()
    await page.unroute('**/media/cp-upload-image*')
    let uploads = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/media/cp-upload-image')) uploads += 1
    })
    // Clearing the pad drops the broken upload: it must not continue once the browser is online again.
    await press(form, 'Clear')
    await expect(broken).toHaveCount(0)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await sign()
    await press(form, 'Use this signature')
    await expect(form.getByText('Signed', { exact: true })).toBeVisible()
    assert.equal(uploads, 1)
    // Going back and forward loses nothing.
    await press(form, 'To the documents')
    await expect(form.getByText('lease.pdf')).toBeVisible()
    await press(form, 'To the signature')
    await press(form, 'Hand it in')
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
    await openNewest(page)
    const answers = page.getByRole('region', { name: 'Your answers' })
    for (const name of ['lease.pdf', 'bill.pdf', 'signature.png']) await expect(answers).toContainText(name)
    await expect(answers).not.toContainText('Hand it in')
  })

  it("goes from the profile to a request's page, and home after it is sent", async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/profile')
    await page.getByRole('link', { name: /Account statement/ }).click()
    await expect(page).toHaveURL(/\/requests-types\//)
    await expect(page.getByRole('heading', { level: 1, name: 'Account statement' })).toBeVisible()
    const last = page.getByRole('region', { name: 'Last Request' })
    await expect(last.getByText('Not assigned')).toBeVisible()
    await page.getByRole('button', { name: /^Submit Request/ }).click()
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
    await expect(page).toHaveURL(/\/home\/?$/)

    await page.goto(`/requests-types/${move.typeId}`)
    await expect(last.getByText('Canceled')).toBeVisible()
    await expect(last.getByText('I stay where I am.')).toBeVisible()
    await last.getByRole('link', { name: 'Details' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Moving house' })).toBeVisible()
    await page.getByRole('link', { name: 'BACK' }).click()
    await expect(page.getByRole('table', { name: 'Requests' })).toBeVisible()
  })

  it('finds a request by text, status and date, in pages of 25', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await askOften(30)
    await page.goto('/requests?tab=history')
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('link', { name: /^Open request/ })
    await expect(rows).toHaveCount(25)
    const tab = page.getByRole('navigation', { name: 'Requests' }).getByRole('link', { name: /^History/ })
    await expect(tab).toHaveText(/\d/) // A separate call counts them.
    const total = Number((await tab.textContent())?.replace(/\D/g, ''))
    assert.ok(total > 30)
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect(rows).toHaveCount(total - 25)

    await page.goto('/requests?tab=history&day=2026-01-15')
    await expect(rows).toHaveCount(25)
    await page.goto('/requests?tab=history&status=rejected')
    await expect(rows).toHaveCount(1)
    await expect(page.getByText('Change of email', { exact: true })).toBeVisible()
    await page.goto('/requests?tab=history')
    await page.getByRole('searchbox', { name: 'Search' }).fill('documents by')
    await expect(rows).toHaveCount(1)
    await expect(page).toHaveURL(/q=documents/)
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing of this')
    await expect(page.getByText('There are no search results.')).toBeVisible()
  })

  it("sends nothing from the desk's preview, which shows the steps", async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    const before = await listSent(move)
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname))
    await page.goto(`/desk/forms/${move.formId}/preview`)
    const preview = page.getByRole('region', { name: 'Desktop' })
    await press(preview, 'Next')
    await expect(preview.getByText('Please fill all the required fields.')).toBeVisible()
    await preview.getByRole('radio', { name: 'Yes' }).check()
    await preview.getByLabel('Street').fill('Kaistr. 9')
    await press(preview, 'Next')
    await preview.getByLabel('Income a month').fill('10')
    await preview.getByRole('checkbox', { name: 'What I say is true' }).check()
    await press(preview, 'Submit Request')
    await expect(preview.getByText('This is a preview: nothing was sent.')).toBeVisible()
    assert.deepEqual(asked, [])
    assert.deepEqual(await listSent(move), before)
  })

  /** Adds requests of one day until they exceed a page. */
  async function askOften(count: number): Promise<void> {
    await inTransaction(system, async (tx) => {
      const { member_id } = await tx
        .selectFrom('members')
        .select('member_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('email', '=', signIns.member)
        .executeTakeFirstOrThrow()
      const created_at = new Date('2026-01-15T12:00:00Z')
      const each = { workspace_id: system.workspaceId, member_id, request_type_id: move.typeId, created_at }
      const rows = Array.from({ length: count }, (_, at) => ({
        ...each,
        request_id: crypto.randomUUID(),
        number: 90_000 + at,
        subject: `Statement ${at}`,
        status_since: created_at,
      }))
      await tx.insertInto('requests').values(rows).execute()
    })
  }
})
