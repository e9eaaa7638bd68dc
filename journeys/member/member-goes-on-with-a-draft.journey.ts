import { after, afterEach, before, describe, it } from 'node:test'
import { ask, required, step } from '@atrium/contract/forms/form-parts.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/requests/texts.ts'
import type { Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import type { Staff, System } from '../../server/foundation/actor.ts'
import { reading } from '../../server/foundation/database/database.ts'
import { retireTerms } from '../../server/terms/template.ts'
import { addOffered } from '../../tests/fixtures/forms.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { makePdf } from '../../tests/fixtures/sample-files.ts'
import { staffActor } from '../../tests/fixtures/workspaces.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const moving = {
  steps: [
    step('move', 'Your move', [ask('text', 'street', 'Street', { config: required }), ask('text', 'town', 'Town')]),
    step('end', 'The end', [ask('consent', 'agrees', 'What I say is true', { config: required })]),
  ],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
}

const documentsTemplate = {
  steps: [
    step('move', 'Your move', [ask('text', 'town', 'Town')]),
    step('documents', 'Documents', [
      ask('yes_no', 'has_bill', 'Do you have a bill?'),
      ask('file', 'bill', 'Bill', { config: { file_types: ['pdf'] } }),
    ]),
  ],
  show_conditions: { bill: { '==': [{ var: 'has_bill' }, 'yes'] } },
  input_name_conditions: {},
  result_bands: [],
}

describe('a member continues a draft', () => {
  let testApp: TestApp
  let system: System
  let staff: Staff
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
    const row = await reading(system, (tx) =>
      tx
        .selectFrom('staff_users')
        .select(['staff_id', 'role', 'name', 'email'])
        .where('workspace_id', '=', system.workspaceId)
        .where('email', '=', signIns.staff)
        .executeTakeFirstOrThrow(),
    )
    staff = staffActor(system, { ...row, staffId: row.staff_id, password: '' })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const street = (page: Page) => page.getByLabel('Street')
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const saved = (page: Page) => expect(page.getByText(/^Saved /)).toBeVisible()
  const whenSaved = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/forms/drafts/save'))
  const elsewhere = (page: Page) => page.getByText(submissionTexts.draftElsewhere).first()
  async function open(page: Page, typeId: string): Promise<void> {
    await page.goto(`/requests-types/${typeId}`)
    await expect(page.getByRole('heading', { name: 'Your move' })).toBeVisible()
  }

  it('keeps it when terms must be accepted meanwhile', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(403)
    await signInAsMember(page)
    await open(page, (await addOffered(system, moving)).typeId)
    await street(page).fill('Kaistr. 4')
    await saved(page)
    const id = await addTerms(staff, { name: 'New fees', blocked_portal_sections: ['all'] })
    await street(page).fill('Kaistr. 44')
    const dialog = page.getByRole('dialog', { name: 'New fees' })
    await dialog.getByRole('checkbox').check()
    const readAgain = page.waitForResponse((answer) => answer.url().includes('/forms/draft?'))
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
    await readAgain
    await expect(dialog).toHaveCount(0)
    await saved(page)
    await expect(street(page)).toHaveValue('Kaistr. 44')
    await page.reload()
    await expect(street(page)).toHaveValue('Kaistr. 44')
    await retireTerms(staff, id)
  })

  it("does not mistake its own save with a lost response for another device's", async () => {
    const { page, expectFailure } = await testApp.visit()
    expectFailure('net::ERR_FAILED')
    await signInAsMember(page)
    await open(page, (await addOffered(system, moving)).typeId)
    await page.route('**/forms/drafts/save', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await street(page).fill('Kaistr. 4')
    await expect(page.getByText(/^Not saved yet/)).toBeVisible()
    await page.unroute('**/forms/drafts/save')
    await street(page).fill('Kaistr. 45')
    await saved(page)
    await expect(elsewhere(page)).toHaveCount(0)
    await page.reload()
    await expect(street(page)).toHaveValue('Kaistr. 45')
  })

  it("keeps another device's saved answers when an outdated page is submitted", async () => {
    const [first, second] = [await testApp.visit(), await testApp.visit({ width: 390 })]
    for (const visit of [first, second]) visit.expectStatus(409)
    const [page, other] = [first.page, second.page]
    await signInAsMember(page)
    const { typeId } = await addOffered(system, moving)
    await open(page, typeId)
    await street(page).fill('Kaistr. 4')
    await saved(page)
    await press(page, 'Next')
    await page.getByRole('checkbox', { name: 'What I say is true' }).check()
    await saved(page)

    await signInAsMember(other)
    await other.goto(`/requests-types/${typeId}`)
    await press(other, 'Back')
    await street(other).fill('Kaistr. 5')
    await other.getByLabel('Town').fill('Hamburg')
    await expect(other.getByText('Saving', { exact: true })).toBeVisible()
    await saved(other)

    await press(page, 'Submit Request')
    await expect(elsewhere(page)).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'What I say is true' })).toBeChecked()
    await press(page, 'Back')
    await expect(street(page)).toHaveValue('Kaistr. 4')
    await press(page, 'Load the saved version')
    await expect(street(page)).toHaveValue('Kaistr. 5')
    await expect(page.getByLabel('Town')).toHaveValue('Hamburg')
    await press(page, 'Next')
    await press(page, 'Submit Request')
    await expect(page.getByText(requestTexts.sent)).toBeVisible()

    // No saved draft is left, so the text on the page is all there is.
    await street(other).fill('Kaistr. 6')
    await expect(elsewhere(other)).toBeVisible()
    await press(other, 'Load the saved version')
    await expect(elsewhere(other)).toHaveCount(0)
    await saved(other)
    await expect(street(other)).toHaveValue('Kaistr. 6')
    await other.reload()
    await expect(street(other)).toHaveValue('Kaistr. 6')
  })

  it('returns to the step they had moved to without entering an answer', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await open(page, (await addOffered(system, moving)).typeId)
    await street(page).fill('Kaistr. 4')
    await saved(page)
    const stored = whenSaved(page)
    await press(page, 'Next')
    await stored
    await page.reload()
    await expect(page.getByRole('heading', { name: 'The end' })).toBeVisible()
  })

  it('keeps a file that is being uploaded when going back, or when an answer hides its field', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await open(page, (await addOffered(system, documentsTemplate)).typeId)
    await press(page, 'Next')
    await page.getByRole('radio', { name: 'Yes' }).check()
    let arrive = (): void => undefined
    const held = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/media/cp-upload-file*', async (route) => {
      await held
      await route.continue()
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /^Choose a file/ }).click()
    await (await chooser).setFiles({ name: 'bill.pdf', mimeType: 'application/pdf', buffer: makePdf('bill.pdf') })
    await press(page, 'Back')
    await expect(page.getByText(/^A file is not completely uploaded yet/)).toBeVisible()
    await page.getByRole('radio', { name: 'No' }).check()
    await expect(page.getByText('bill.pdf')).toBeVisible()
    arrive()
    await expect(page.getByText('bill.pdf')).toHaveCount(0)
    await page.getByRole('radio', { name: 'Yes' }).check()
    await expect(page.getByText('bill.pdf')).toBeVisible()
    await press(page, 'Back')
    await expect(page.getByLabel('Town')).toBeVisible()
  })
})
