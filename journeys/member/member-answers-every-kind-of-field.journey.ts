import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { formDefinition } from '@atrium/contract/forms/checked-definition.ts'
import { fieldTypes } from '@atrium/contract/forms/definition.ts'
import { ask, beside, note, required, step } from '@atrium/contract/forms/form-parts.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { Locator } from 'playwright'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { addOffered, type Offered } from '../../tests/fixtures/forms.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { makePdf } from '../../tests/fixtures/sample-files.ts'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const several = { ...required, count_min: 2, count_max: 3 }
const points = ['1', '2', '3', '4', '5'].map((value) => [value, value, Number(value)] as const)

/** Each kind of field once, the time in both 12-hour and 24-hour form. */
const definition = formDefinition.parse({
  steps: [
    step('words', 'Words and numbers', [
      note('intro', 'Intro', '<p>Please <strong>read</strong> our rules first.</p>'),
      ask('http_link', 'rules', 'Our rules', { config: { href: 'https://harbour.example/rules' } }),
      ask('hidden', 'origin', 'Origin', { config: { default: 'from the portal' } }),
      ask('text', 'street', 'Street', { config: required }),
      ask('textarea', 'story', 'Your story'),
      ask('number', 'children', 'Children', { config: { min: '0', max: '20' } }),
      beside(ask('decimal', 'allowance', 'Allowance for each', { config: { decimals: 2 } })),
      ask('formula', 'allowances', 'Allowances', { config: { formula: '{children} * {allowance}' } }),
    ]),
    step('times', 'Days and times', [
      ask('date', 'born', 'Date of birth', { config: { ...required, max_date: 'today-18y' } }),
      ask('time', 'call', 'Call at', { config: { format: '24' } }),
      beside(ask('time', 'again', 'Call again at', { config: { format: '12' } })),
      ask('date_range', 'away', 'Away'),
    ]),
    step('choices', 'Choices', [
      ask('select', 'size', 'Size of the company', {
        options: [
          ['s', 'Small'],
          ['l', 'Large'],
        ],
      }),
      ask('searchable_select', 'tongue', 'Language', {
        options: [
          ['en', 'English'],
          ['mt', 'Maltese'],
        ],
      }),
      ask('multi_select', 'markets', 'Markets', {
        options: [
          ['gold', 'Gold'],
          ['oil', 'Oil'],
          ['fx', 'Currencies'],
          ['ix', 'Indices'],
        ],
        config: several,
      }),
      ask('radio', 'heard', 'How you heard of us', {
        options: [
          ['web', 'Online'],
          ['friend', 'From a friend'],
        ],
      }),
      ask('checkbox', 'news', 'Send me news'),
      ask('checkbox_group', 'knows', 'What you know', {
        options: [
          ['cfd', 'Contracts'],
          ['etf', 'Funds'],
          ['opt', 'Options'],
        ],
        config: several,
      }),
      ask('yes_no', 'own', 'Do you trade for yourself?', { config: required }),
      ask('scale', 'risk', 'How much risk do you take?', {
        options: points,
        config: { ...required, label_low: 'None', label_high: 'All of it' },
      }),
    ]),
    step('reach', 'Where you are reached', [
      ask('email', 'mail', 'Other email'),
      ask('phone', 'phone', 'Other phone'),
      ask('country', 'country', 'Country of tax', { config: required }),
      ask('currency', 'currency', 'Currency of income'),
      ask('iban', 'iban', 'Your IBAN', { config: required }),
      ask('bic', 'bic', 'Your BIC'),
      ask('link', 'site', 'Your site'),
    ]),
    step('documents', 'Documents', [
      ask('file', 'lease', 'Lease', { config: { file_types: ['pdf'] } }),
      ask('files', 'bills', 'Bills', { config: { file_types: ['pdf'] } }),
      ask('signature', 'signed', 'Signature', { config: required }),
      ask('trading_account', 'account', 'Trading account', { config: required }),
      ask('bank_account', 'bank', 'Bank account'),
      ask('consent', 'agrees', 'What I say is true', { config: required }),
      ask('button', 'send', 'Hand it in', { config: { button: 'submit' } }),
    ]),
  ],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [
    { from: 1, to: 3, name: 'Careful', text: '' },
    { from: 4, to: 5, name: 'Bold', text: '' },
  ],
})

const street = ' Kaistr. 4 <b>'
const story = 'Born at sea.\n\n  Grown up ashore: "twice",  as they say.'

/** The detail text below each label. */
const shown: [name: string, answer: string | RegExp][] = [
  ['Children', '3'],
  ['Allowance for each', '120.50'],
  ['Allowances', '361.5'],
  ['Date of birth', 'May 12, 1990'],
  ['Call at', '14:30'],
  ['Call again at', /^2:30\spm$/],
  ['Away', /^Mar 1, 2027 . Mar 5, 2027$/],
  ['Size of the company', 'Large'],
  ['Language', 'Maltese'],
  ['Markets', 'Gold and Currencies'],
  ['How you heard of us', 'From a friend'],
  ['Send me news', 'Yes'],
  ['What you know', 'Contracts and Options'],
  ['Do you trade for yourself?', 'Yes'],
  ['How much risk do you take?', '4'],
  ['Other email', 'amelia@harbour.example'],
  ['Other phone', '+356 2122 4455'],
  ['Country of tax', 'Malta'],
  ['Currency of income', /^EUR/],
  ['Your IBAN', 'MT84MALT011000012345MTLCAST001S'],
  ['Your BIC', 'VALLMTMT'],
  ['Your site', 'harbour.example/amelia'],
  ['Lease', /lease\.pdf/],
  ['Bills', /bill\.pdf/],
  ['Signature', /signature\.png/],
  ['Bank account', /Bank of Valletta/],
  ['What I say is true', 'Yes'],
]

describe('a member answers every kind of field', () => {
  let testApp: TestApp
  let system: System
  let offered: Offered
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
    offered = await addOffered(system, definition)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('request_types')
        .set({ name: 'All of it' })
        .where(here)
        .where('request_type_id', '=', offered.typeId)
        .execute(),
    )
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const listKept = () =>
    inTransaction(system, (tx) =>
      tx.selectFrom('form_answers').select('answers').where(here).where('form_id', '=', offered.formId).execute(),
    )

  it('refuses invalid answers and stores all others as they were given', async () => {
    const types = definition.steps.flatMap(({ fields }) => fields.map(({ type }) => type))
    assert.deepEqual([...new Set(types)].sort(), [...fieldTypes].sort())
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto(`/requests-types/${offered.typeId}`)
    const form = page.getByRole('form', { name: 'All of it' })
    await answerWords(form)
    await goOn(form, 'Days and times')
    await answerTimes(form)
    await goOn(form, 'Choices')
    await answerChoices(form)
    await goOn(form, 'Where you are reached')
    await answerReach(form)
    await goOn(form, 'Documents')
    const login = await answerKycDocuments(form)
    await press(form, 'Hand it in')
    await expect(page.getByText(requestTexts.sent)).toBeVisible()

    await page.goto('/requests?tab=history&q=All%20of%20it')
    await page.getByRole('link', { name: /^Open request/ }).click()
    const answers = page.getByRole('region', { name: 'Your answers' })
    const below = (name: string) => answers.locator(`dt:text-is("${name}") + dd`)
    for (const [name, answer] of shown) await expect(below(name), name).toHaveText(answer)
    await expect(below('Trading account')).toContainText(login)
    // Compares the exact text: Playwright's text matchers collapse whitespace.
    assert.equal(await below('Street').textContent(), street)
    assert.equal(await below('Your story').textContent(), story)
    await expect(answers.getByText('Bold')).toBeVisible()
    const [stored] = await listKept()
    assert.ok(stored)
    assert.equal((stored.answers as Record<string, unknown>).origin, 'from the portal')
  })
})

const press = (form: Locator, name: string) => form.getByRole('button', { name, exact: true }).click()
async function goOn(form: Locator, to: string): Promise<void> {
  await press(form, 'Next')
  await expect(form.getByRole('heading', { name: to, exact: true })).toBeVisible()
}

const line = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true })
const list = (form: Locator, name: string) => form.getByRole('combobox', { name, exact: true })
async function search(form: Locator, name: string, typed: string, option: RegExp): Promise<void> {
  await list(form, name).fill(typed)
  await form.page().getByRole('option', { name: option }).click()
}

/** Expects to stay on the step. Presses Enter, which does not blur the field, so validation covers all answers. */
async function isRefused(form: Locator, { field, said, step }: Record<'said' | 'step', string> & { field: Locator }) {
  await field.press('Enter')
  await expect(form.getByText(said, { exact: true })).toBeVisible()
  await expect(form.getByRole('heading', { name: step, exact: true })).toBeVisible()
}

async function answerWords(form: Locator): Promise<void> {
  await expect(form.getByText('Please read our rules first.')).toBeVisible()
  await expect(form.getByRole('link', { name: 'Our rules' })).toHaveAttribute('href', 'https://harbour.example/rules')
  await expect(form.getByText('Origin')).toHaveCount(0)
  await line(form, 'Street').fill(street)
  await line(form, 'Your story').fill(story)
  await line(form, 'Children').fill('3')
  await line(form, 'Allowance for each').fill('120.50')
  await expect(form.getByLabel('Allowances', { exact: true })).toHaveText('361.5')
}

async function answerTimes(form: Locator): Promise<void> {
  const refused = { said: validatorTexts.date, step: 'Days and times' }
  const born = line(form, 'Date of birth')
  await born.fill('12/05/1990')
  // A valid date becomes invalid by a typo: the earlier valid date must not be sent instead.
  await born.fill('12/55/1990')
  await isRefused(form, { ...refused, field: born })
  await expect(form.getByText(/^Saved /)).toBeVisible()
  await form.page().reload()
  await expect(born).toHaveValue('12/55/1990')
  await born.fill('12/5/1990')

  // An optional date is also validated: reported on blur and not silently omitted.
  const from = line(form, 'Away, from')
  await from.fill('5 March')
  await from.press('Tab')
  await expect(form.getByText(validatorTexts.date, { exact: true })).toBeVisible()
  await isRefused(form, { ...refused, field: from })
  await expect(from).toHaveValue('5 March')
  await from.fill('01/03/2027')
  await line(form, 'Away, to').fill('2027-03-05')
  await search(form, 'Call at', '14:3', /^14:30$/)
  await search(form, 'Call again at', '2:30', /^2:30\spm$/)
}

async function answerChoices(form: Locator): Promise<void> {
  const page = form.page()
  await chooseOption(page, list(form, 'Size of the company'), /^Large$/)
  await search(form, 'Language', 'malt', /^Maltese$/)
  await chooseOption(page, list(form, 'Markets'), /^Currencies$/)
  await list(form, 'Markets').press('Escape')
  await form.getByRole('radio', { name: 'From a friend' }).check()
  await form.getByRole('checkbox', { name: 'Send me news' }).check()
  const known = form.getByRole('group', { name: 'What you know' })
  await known.getByRole('checkbox', { name: 'Options' }).check()
  await known.getByRole('checkbox', { name: 'Contracts' }).check()
  await form.getByRole('radiogroup', { name: 'Do you trade for yourself?' }).getByRole('radio', { name: 'Yes' }).check()
  const risk = form.getByRole('radio', { name: '4', exact: true })
  await risk.check()
  await isRefused(form, { field: risk, said: 'Please choose between 2 and 3 item(s)', step: 'Choices' })
  await chooseOption(page, list(form, 'Markets'), /^Gold$/)
  await list(form, 'Markets').press('Escape')
}

async function answerReach(form: Locator): Promise<void> {
  await line(form, 'Other email').fill('amelia@harbour.example')
  await line(form, 'Other phone').fill('+356 2122 4455')
  await search(form, 'Country of tax', 'malt', /^Malta$/)
  await search(form, 'Currency of income', 'EUR', /^EUR/)
  await line(form, 'Your IBAN').fill('MT84 MALT 0110 0001 2345 MTLC AST0 01T')
  await line(form, 'Your BIC').fill('vallmtmt')
  const site = line(form, 'Your site')
  await site.fill('harbour.example/amelia')
  await isRefused(form, { field: site, said: validatorTexts.iban, step: 'Where you are reached' })
  await line(form, 'Your IBAN').fill('MT84 MALT 0110 0001 2345 MTLC AST0 01S')
}

/** Returns the login of the chosen account. */
async function answerKycDocuments(form: Locator): Promise<string> {
  const page = form.page()
  const targets = form.getByRole('button', { name: /^Choose a file/ })
  const choose = async (target: Locator, name: string) => {
    const chooser = page.waitForEvent('filechooser')
    await target.click()
    await (await chooser).setFiles({ name, mimeType: 'application/pdf', buffer: makePdf(name) })
    await expect(form.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  }
  await choose(targets.last(), 'bill.pdf')
  await choose(targets.first(), 'lease.pdf')
  await line(form, 'Or type your name').fill('Amelia Hart')
  await press(form, 'Use this signature')
  await expect(form.getByText('Signed', { exact: true })).toBeVisible()
  await list(form, 'Trading account').click()
  const account = page.getByRole('option').first()
  const [login = ''] = ((await account.textContent()) ?? '').split(' \u00b7 ')
  assert.match(login, /^[0-9]+$/)
  await account.click()
  await chooseOption(page, list(form, 'Bank account'), /Bank of Valletta/)
  await form.getByRole('checkbox', { name: 'What I say is true' }).check()
  return login
}
