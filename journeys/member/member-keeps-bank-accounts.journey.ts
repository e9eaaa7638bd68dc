// spec: AO 2.8, AO 3, AO 4, AO 8, AO 9
import { after, afterEach, before, describe, it } from 'node:test'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { Locator, Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { addBankAccount } from '../../tests/fixtures/payments/money.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { ageProofs, proveAnew } from '../kit/proving.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })
const field = (within: Locator, name: string): Locator => within.getByRole('textbox', { name, exact: true })
const choice = (within: Locator, name: string): Locator => within.getByRole('combobox', { name, exact: true })

const texts: Record<string, string> = {
  'Bank name': 'Volksbank Hafen',
  'Account holder': 'Amelia Hart',
  'SWIFT / BIC': 'DEUTDEFF',
  'Street Address': 'Kaistr. 4',
  City: 'Hamburg',
  'State/Province': 'Hamburg',
}

describe('a member manages bank accounts and other accounts', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function system() {
    return testApp.system
  }

  it('adds a bank account by its IBAN after re-authentication, changes and deletes it', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await page.goto('/funds/bank-accounts')
    await expect(page.getByRole('cell', { name: 'Bank of Valletta', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Add Bank Account' }).click()
    const adding = dialog(page, 'Add Bank Account')
    await adding.getByRole('button', { name: 'Save bank account' }).click()
    await expect(field(adding, 'Bank name')).toBeFocused()
    await expect(field(adding, 'IBAN')).toHaveAccessibleDescription(new RegExp(validatorTexts.required))
    // Neither Escape nor a click outside discards the input.
    for (const [name, text] of Object.entries(texts)) await field(adding, name).fill(text)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expect(field(adding, 'City')).toHaveValue('Hamburg')
    await chooseOption(page, choice(adding, 'Currency'), /^EUR/)
    await field(adding, 'IBAN').fill('DE89 3704 0044 0532 0130 01')
    await adding.getByRole('button', { name: 'Save bank account' }).click()
    await expect(field(adding, 'IBAN')).toHaveAccessibleDescription(new RegExp(validatorTexts.iban))
    await field(adding, 'IBAN').fill('DE89 3704 0044 0532 0130 00')
    // The fields for international payouts are also available here.
    await expect(field(adding, 'Bank branch')).toHaveCount(0)
    await adding.getByRole('button', { name: 'Add branch, routing number or postcode' }).click()
    await field(adding, 'Bank branch').fill('Hafencity')
    await expect(choice(adding, 'Country')).toHaveValue('Germany')

    // The input is not truncated, and differing countries need confirmation or correction.
    const long = 'María de los Ángeles Fernández-Villaverde y Gutiérrez'
    await field(adding, 'Account holder').fill(long)
    await expect(field(adding, 'Account holder')).toHaveAccessibleDescription(
      'Use at most 50 characters. You have entered 53.',
    )
    await expect(field(adding, 'Account holder')).toHaveValue(long)
    await field(adding, 'Account holder').fill('Amelia Hart')
    await field(adding, 'SWIFT / BIC').fill('OPAHGB22')
    const confirmed = adding.getByRole('checkbox', { name: beneficiaryTexts.countriesConfirmed })
    await adding.getByRole('button', { name: 'Save bank account' }).click()
    await expect(field(adding, 'SWIFT / BIC')).toHaveAccessibleDescription(/^The countries differ: IBAN Germany/)
    await confirmed.check()
    await expect(field(adding, 'SWIFT / BIC')).toHaveAccessibleDescription('')
    await field(adding, 'SWIFT / BIC').fill('DEUTDEFF')
    await expect(confirmed).toHaveCount(0)

    await page.route('**/members/bank-accounts/create', (route) => route.abort())
    visit.expectFailure('ERR_FAILED')
    await adding.getByRole('button', { name: 'Save bank account' }).click()
    await expect(page.getByRole('alert').filter({ hasText: beneficiaryTexts.saveFailed })).toBeVisible()
    await page.unroute('**/members/bank-accounts/create')

    await ageProofs(await system())
    visit.expectStatus(403)
    await adding.getByRole('button', { name: 'Save bank account' }).click()
    await proveAnew(page)
    await expect(page.getByText(beneficiaryTexts.bankSaved)).toBeVisible()
    await expect(adding).toBeHidden()
    const row = page.getByRole('row', { name: /Volksbank Hafen/ })
    await expect(row.getByText('DE89 3704 0044 0532 0130 00')).toBeVisible()
    await expect(row.getByText(/^Cooling-off period until /)).toBeVisible()

    await row.getByRole('button', { name: /^Edit / }).click()
    const editing = dialog(page, 'Edit Bank Account')
    await expect(field(editing, 'Bank branch')).toHaveValue('Hafencity')
    await field(editing, 'City').fill('Bremen')
    await editing.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('dialog', { name: 'Do you want to exit before saving?' }).getByText('Cancel').click()
    await editing.getByRole('button', { name: 'Save bank account' }).click()
    await expect(editing).toBeHidden()

    await row.getByRole('button', { name: /^Delete / }).click()
    await dialog(page, beneficiaryTexts.deleteBank).getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText(beneficiaryTexts.bankDeleted)).toBeVisible()
    await expect(row).toBeHidden()

    await page.goto('/dev/mailbox')
    for (const subject of ['A bank account was added', 'A bank account was changed', 'A bank account was removed'])
      await expect(page.getByText(subject).first()).toBeVisible()
    await expect(page.getByText(signIns.member).first()).toBeVisible()
  })

  it('adds a wallet with its QR code, and shows a failed upload of the picture', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await page.goto('/funds/other-accounts')
    await page.getByRole('button', { name: 'Add Account' }).click()
    const adding = dialog(page, 'Add Account')
    await chooseOption(page, choice(adding, 'Type'), /^Crypto$/)
    await chooseOption(page, choice(adding, 'Preferred currency'), /^ETH$/)
    await field(adding, 'Name').fill('Cold wallet')
    await field(adding, 'Provider').fill('Trezor')
    await field(adding, 'Address/ID').fill('0x52908400098527886E0F7030069857D2E4169EE7')
    const png = { name: 'code.png', mimeType: 'image/png', buffer: makePng({ width: 40, height: 40 }) }
    await adding.locator('input[type="file"]').first().setInputFiles(png)
    await page.route('**/media/cp-upload-image*', (route) => route.abort())
    visit.expectFailure('ERR_FAILED')
    await adding.getByRole('button', { name: 'Save account' }).click()
    await expect(page.getByText(beneficiaryTexts.qrFailed).first()).toBeVisible()
    await page.unroute('**/media/cp-upload-image*')
    await adding.getByRole('button', { name: 'Save account' }).click()
    await expect(page.getByText(beneficiaryTexts.accountSaved)).toBeVisible()
    await page.getByRole('button', { name: 'Show the QR code of Cold wallet' }).click()
    await expect(page.getByRole('img', { name: 'QR code of Cold wallet' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open in new tab' })).toHaveAttribute('href', /^\/cp\/private\/files\//)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Edit Cold wallet' }).click()
    const editing = dialog(page, 'Edit Account')
    // Coins fit no other account type, so the currency must be chosen again.
    await chooseOption(page, choice(editing, 'Type'), /^Other$/)
    await expect(choice(editing, 'Preferred currency')).toHaveValue('')
    await chooseOption(page, choice(editing, 'Preferred currency'), /^CHF/)
    await editing.getByRole('button', { name: 'Remove the QR code' }).click()
    await editing.getByRole('button', { name: 'Save account' }).click()
    await expect(editing).toBeHidden()
    await expect(page.getByRole('button', { name: 'Show the QR code of Cold wallet' })).toBeHidden()
  })

  it('pages through more bank accounts than fit on one page', async () => {
    const workspace = await system()
    const member = await inTransaction(workspace, (tx) =>
      tx
        .selectFrom('members')
        .select('member_id')
        .where('workspace_id', '=', workspace.workspaceId)
        .where('email', '=', signIns.new)
        .executeTakeFirstOrThrow(),
    )
    for (let number = 1; number <= 16; number++)
      await addBankAccount(workspace, { memberId: member.member_id, bank_name: `Bank ${number}` })
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/funds/bank-accounts')
    const rows = page.getByRole('table', { name: 'Bank Accounts' }).getByRole('row')
    await expect(page.getByText('Showing 1 to 15 of 16 entries')).toBeVisible()
    await expect(rows).toHaveCount(1 + 15)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect(rows).toHaveCount(1 + 1)
    await rows
      .last()
      .getByRole('button', { name: /^Delete / })
      .click()
    await dialog(page, beneficiaryTexts.deleteBank).getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(rows).toHaveCount(1 + 15)
    await expect(page.getByText(/^Showing /)).toHaveCount(0)
  })

  it("shows on a phone no data of another member, and the brokerage's accounts for transfers", async () => {
    const { page } = await testApp.visit({ width: 390, height: 844 })
    await signInAsMember(page, 'second')
    await page.goto('/funds/bank-accounts')
    await expect(page.getByText('Bank of Nicosia')).toBeVisible()
    await expect(page.getByText('Banca Adriatica')).toBeHidden()
    const company = page.getByRole('region', { name: 'Company bank accounts' })
    await expect(company.getByRole('heading', { level: 3 })).toHaveText(['CNY', 'EUR', 'USD'])
    await page.goto('/funds/other-accounts')
    await expect(page.getByText(beneficiaryTexts.noAccounts)).toBeVisible()
  })

  it('shows the cooling-off period at the desk, where staff edit the brokerage’s own accounts', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/members?q=Hart')
    const member = page.getByRole('article', { name: 'Member 100417' })
    await expect(member.getByText('Trading wallet')).toBeVisible()
    await expect(member.getByText(/^On hold until /).first()).toBeVisible()
    await page.goto('/desk/settings/bank-accounts')
    await page.getByRole('button', { name: 'Add a bank account' }).click()
    const adding = dialog(page, 'Add a company bank account')
    await chooseOption(page, choice(adding, 'Currency'), /^CHF/)
    await field(adding, 'Bank Name').fill('Harbour Bank Zurich')
    await field(adding, 'Beneficiary Name').fill('Harbour Markets Ltd')
    await field(adding, 'IBAN').fill('CH93 0076 2011 6238 5295 7')
    await adding.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Harbour Bank Zurich' })
    await expect(row).toBeVisible()
    await row.getByRole('button', { name: /^Archive / }).click()
    await dialog(page, 'Archive Harbour Bank Zurich, CHF?').getByRole('button', { name: 'Archive' }).click()
    await expect(row).toBeHidden()
  })
})
