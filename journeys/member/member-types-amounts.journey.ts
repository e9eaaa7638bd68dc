// spec: MP 5
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, beside, required, step } from '@atrium/contract/forms/form-parts.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import type { Locator, Page } from 'playwright'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { addOffered, type Offered } from '../../tests/fixtures/forms.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { acceptCreated, chooseOption, depositForm, fillDeposit, transactionRow } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

const login = '700123'
const sums = {
  steps: [
    step('sums', 'Your income', [
      ask('decimal', 'monthly', 'Income a month', { config: { ...required, decimals: 2 } }),
      beside(ask('formula', 'yearly', 'Income a year', { config: { formula: '{monthly} * 12' } })),
    ]),
  ],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
}

async function paste(field: Locator, text: string): Promise<void> {
  const page = field.page()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await field.fill('')
  await field.focus()
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+V')
}

async function typeIn(field: Locator, text: string): Promise<void> {
  await field.fill('')
  await field.pressSequentially(text)
}

describe('a member types amounts in their own number format', () => {
  let testApp: TestApp
  let system: System
  let offered: Offered
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
    offered = await addOffered(system, sums)
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const amountOf = (ticket: string) =>
    inTransaction(system, (tx) =>
      tx
        .selectFrom('balance_transactions')
        .select('amount')
        .where(here)
        .where('ticket', '=', ticket as never)
        .executeTakeFirstOrThrow(),
    )

  /** Checks each pair of [typed text, message], typed and pasted. */
  async function expectUnderstood(page: Page, readings: readonly (readonly [string, string])[]): Promise<void> {
    const { amount, comment } = depositForm(page)
    for (const [text, said] of readings)
      for (const enter of [typeIn, paste]) {
        await enter(amount, text)
        await expect(amount).toHaveValue(text)
        await expect(page.getByText(said, { exact: true })).toBeVisible()
        await comment.focus()
        await expect(amount).toHaveValue(text)
      }
  }

  it('in German: shows the parsed amount, refuses an ambiguous one, and filters the list by it', async () => {
    const { page } = await testApp.visit({ locale: 'de-DE' })
    await signInAsMember(page)
    await fillDeposit(page, { login, amount: '1,000', comment: 'A hundred and a half' })
    const form = depositForm(page)
    await form.create.click()
    await expect(form.amount).toBeFocused()
    await expect(form.amount).toHaveAccessibleDescription(
      '\u201c1,000\u201d can mean 1,00 or 1.000,00. Write it without thousands separators.',
    )
    await expectUnderstood(page, [
      ['1.000,00', 'You pay 1.000,00 USD'],
      ['1 000', 'You pay 1.000,00 USD'],
      ['100,50', 'You pay 100,50 USD'],
    ])
    await form.create.click()
    const ticket = await acceptCreated(page)
    await expect(transactionRow(page, ticket)).toContainText('+100,50')
    assert.equal((await amountOf(ticket)).amount, '100.50')

    const amount = page.getByRole('textbox', { name: 'Amount' })
    await typeIn(amount, '100,50')
    await expect(page).toHaveURL(/amount=100\.50/)
    const others = page.getByRole('row').filter({ hasNotText: '100,50' })
    await expect(others).toHaveCount(1) // The header row.
    await typeIn(amount, '1200.005')
    await page.getByRole('textbox', { name: 'Ticket number' }).focus()
    await expect(amount).toHaveAccessibleDescription('Use at most 2 decimals.')
    await expect(amount).toHaveValue('1200.005')
    await expect(transactionRow(page, ticket)).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(amount).toHaveValue('')
  })

  it('in French: withdraws and adds demo funds with exactly the pasted amount', async () => {
    const { page } = await testApp.visit({ locale: 'fr-FR' })
    await signInAsMember(page)
    await fillWithdrawal(page, { login, amount: '', comment: 'Twelve and a half' })
    await paste(withdrawalForm(page).amount, '12,50')
    await expect(page.getByText('You withdraw 12,50 USD', { exact: true })).toBeVisible()
    await withdrawalForm(page).create.click()
    assert.equal((await amountOf(await acceptCreated(page))).amount, '12.50')

    await page.goto('/funds/deposit-demo')
    const form = depositForm(page)
    await chooseOption(page, form.account, /#700901/)
    await expectUnderstood(page, [
      ['100,50', 'You add 100,50 USD'],
      ['1.000,00', 'You add 1\u202f000,00 USD'],
      ['1 000', 'You add 1\u202f000,00 USD'],
    ])
    await form.comment.fill('To practise')
    await form.create.click()
    assert.equal((await amountOf(await acceptCreated(page))).amount, '1000.00')
  })

  it('in English: answers a form, and the calculated field matches the answer', async () => {
    const { page } = await testApp.visit({ locale: 'en-US' })
    await signInAsMember(page)
    await page.goto(`/requests-types/${offered.typeId}`)
    const field = page.getByRole('textbox', { name: 'Income a month' })
    await paste(field, '100,50')
    await expect(page.getByText('100.5', { exact: true })).toBeVisible()
    await typeIn(field, '1.000,50')
    await expect(page.getByText('1,000.5', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Income a year', { exact: true })).toHaveText('12,006')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
    const [stored] = await inTransaction(system, (tx) =>
      tx.selectFrom('form_answers').select('answers').where(here).where('form_id', '=', offered.formId).execute(),
    )
    assert.deepEqual((stored?.answers as { monthly?: string } | undefined)?.monthly, '1000.50')

    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, /#700123/)
    await depositForm(page).transfer.check()
    await expectUnderstood(page, [
      ['100,50', 'You pay 100.50 USD'],
      ['1.000,00', 'You pay 1,000.00 USD'],
      ['1 000', 'You pay 1,000.00 USD'],
    ])
  })
})
