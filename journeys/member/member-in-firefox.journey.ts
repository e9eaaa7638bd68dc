import { after, afterEach, before, describe, it } from 'node:test'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { ask, required, step } from '@atrium/contract/forms/form-parts.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Page } from 'playwright'
import { addOffered, type Offered } from '../../tests/fixtures/forms.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { accountRow } from '../kit/balances.ts'
import {
  acceptCreated,
  chooseOption,
  depositForm,
  goodReceipt,
  makeDeposit,
  paymentPages,
  transactionRow,
} from '../kit/depositing.ts'
import { fillOpening, openingForm, readOpened } from '../kit/opening.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

const login = '700123'
const moving = {
  steps: [step('move', 'Your move', [ask('text', 'street', 'Street', { config: required })])],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
}

/** `ATRIUM_TEST_BROWSER=firefox` runs every other journey in Firefox manually. */
describe('in Firefox a member', () => {
  let testApp: TestApp
  let foreignOrigins: string[]
  let form: Offered
  before(async () => {
    testApp = await openTestApp({ engine: 'firefox', environment: { PUBLIC_URL: 'http://127.0.0.1:{port}' } })
    foreignOrigins = paymentPages(testApp)
    form = await addOffered(testApp.system, moving)
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const pageOf = async (person: 'member' | 'new' = 'member'): Promise<Page> => {
    const { page } = await testApp.visit({ foreignOrigins })
    await signInAsMember(page, person)
    return page
  }

  it('opens every page of the menu and signs out', async () => {
    const page = await pageOf()
    for (const [path, heading] of [
      ['/accounts', texts.accountsTitle],
      ['/dashboard', /Dashboard/],
      ['/platforms', 'Platform Downloads'],
      ['/funds/bank-accounts', /./],
      ['/funds/other-accounts', /./],
      ['/support', /./],
      ['/requests', /./],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    }
    await page.getByRole('button', { name: /^Profile menu of / }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
  })

  it('chooses a time zone from the list in the profile', async () => {
    const page = await pageOf('new')
    await page.goto('/profile')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.click()
    await zone.fill('UTC')
    await expect(page.getByRole('option', { name: 'UTC', exact: true })).toHaveCount(1)
    await zone.fill('Kolkata')
    await page.getByRole('option', { name: 'Asia/Kolkata', exact: true }).click()
    await expect(page.getByText(/Your time is .*(GMT\+5:30|IST)/)).toBeVisible()
  })

  it('opens a live account', async () => {
    const page = await pageOf()
    await fillOpening(page, { kind: 'live', platform: 'Harbour MT5', group: /Standard EUR/ })
    await openingForm(page, 'live').open.click()
    const opened = await readOpened(page, 'live')
    await page.goto('/accounts')
    await expect(accountRow(page, opened)).toContainText('Live')
  })

  it('deposits by bank transfer with a receipt, and withdraws', async () => {
    const page = await pageOf()
    const deposit = await makeDeposit(page, { login, amount: '250.00', comment: 'From Firefox', receipt: goodReceipt })
    await expect(transactionRow(page, deposit)).toContainText('Pending')
    await fillWithdrawal(page, { login, amount: '61.50', comment: 'To my bank' })
    await withdrawalForm(page).create.click()
    await expect(transactionRow(page, await acceptCreated(page))).toContainText('Pending')
  })

  it('pays through a provider and returns', async () => {
    const page = await pageOf()
    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, new RegExp(`#${login}`))
    await page.getByRole('radio', { name: 'Zota' }).check()
    await depositForm(page).amount.fill('150')
    await page.getByRole('button', { name: 'Pay with Zota' }).click()
    await expect(page.getByText('A simulated payment page. No money moves.')).toBeVisible()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible()
    await expect(page).toHaveURL(/\/funds\/transactions/)
    await expect(page.getByRole('row').nth(1)).toContainText('+150.00')
  })

  it('uploads a document', async () => {
    const page = await pageOf('new')
    await page.goto('/documents')
    await page.getByRole('button', { name: 'Add: Proof of identity' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a file: Proof of identity' })
    await chooseOption(page, dialog.getByRole('combobox', { name: 'Document' }), /Passport/)
    const picture = { name: 'pass.png', mimeType: 'image/png', buffer: makePng({ width: 60, height: 40 }) }
    await dialog.locator('input[type=file]').first().setInputFiles(picture)
    await expect(dialog.getByText('Uploaded', { exact: true })).toBeVisible()
    await dialog.getByLabel('Valid until').fill('31/12/2034')
    await dialog.getByRole('button', { name: 'Add the file' }).click()
    await expect(page.getByText(documentTexts.added).first()).toBeVisible()
  })

  it('opens a support ticket and sends a form', async () => {
    const page = await pageOf()
    await page.getByRole('button', { name: 'Complaint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Complaint' })
    await dialog.getByLabel('Subject').fill('A card that was refused')
    await dialog.getByLabel('Description').fill('My card was refused <b>twice</b>.')
    await dialog.getByRole('button', { name: 'Create Ticket' }).click()
    await expect(page.getByText(ticketTexts.created)).toBeVisible()
    await page.goto(`/requests-types/${form.typeId}`)
    await page.getByLabel('Street').fill('Kaistr. 4')
    await page.getByRole('button', { name: 'Submit Request', exact: true }).click()
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
  })
})
