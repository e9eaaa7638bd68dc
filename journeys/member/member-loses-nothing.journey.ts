// spec: MP 2.1, MP 2.7, AO 2.5, AO 2.8, OP factors
import { after, afterEach, before, describe, it } from 'node:test'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { readIdentityCheck } from '@atrium/contract/documents/identity.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Route } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { addBankAccount } from '../../tests/fixtures/payments/money.ts'
import { chooseOption } from '../kit/depositing.ts'
import { confirmApp } from '../kit/enrolling.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const refuse = (route: Route) =>
  route.fulfill({ status: 403, json: { code: 'not_permitted', error: texts.requestFailed } })

describe('a member loses nothing by a key, a click or a failed request', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('keeps recovery codes on the page until they are saved', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'second')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Set up an app' }).click()
    // It presses Escape before it reports the codes as saved.
    await confirmApp(page, page.getByRole('dialog', { name: 'Set up an authenticator app' }))
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  it('is asked before a chosen kind of document is lost', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/documents')
    await page.getByRole('button', { name: 'Add: Proof of identity' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a file: Proof of identity' })
    const kind = dialog.getByRole('combobox', { name: 'Document' })
    await chooseOption(page, kind, /Passport/)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog', { name: 'Do you want to exit before saving?' }).getByText('Cancel').click()
    await expect(kind).toHaveValue(/Passport/)
  })

  it('reads that the identity check did not load, and tries again', async () => {
    const { page, expectStatus } = await testApp.visit()
    await signInAsMember(page, 'new')
    expectStatus(403)
    const path = `**${readIdentityCheck.path}`
    await page.route(path, refuse)
    await page.goto('/documents')
    const failed = page.getByRole('alert').filter({ hasText: 'We couldn\u2019t load this' })
    await expect(failed).toBeVisible()
    await page.unroute(path)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(failed).toBeHidden()
  })

  it('reads that the transaction of a link did not load, and tries again', async () => {
    const { page, expectStatus } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    const id = crypto.randomUUID()
    const isOfLink = ({ searchParams }: URL) =>
      Buffer.from(searchParams.get('v') ?? '', 'base64url')
        .toString()
        .includes(id)
    expectStatus(403)
    await page.route(isOfLink, refuse)
    await page.goto(`/funds/transactions?open=${id}`)
    const failed = page.getByRole('status').filter({ hasText: 'The transaction of this link could not be loaded.' })
    await expect(failed).toBeVisible()
    await page.unroute(isOfLink)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Transaction not found. The address may be wrong.')).toBeVisible()
    await expect(failed).toBeHidden()
  })

  it('keeps the focus on the page after the deletion of a bank account', async () => {
    const workspace = testApp.system
    const { member_id: memberId } = await inTransaction(workspace, (tx) =>
      tx
        .selectFrom('members')
        .select('member_id')
        .where('workspace_id', '=', workspace.workspaceId)
        .where('email', '=', signIns.new)
        .executeTakeFirstOrThrow(),
    )
    await addBankAccount(workspace, { memberId, bank_name: 'Bank of the harbour' })
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/funds/bank-accounts')
    const row = page.getByRole('row', { name: /Bank of the harbour/ })
    await row.getByRole('button', { name: /^Delete / }).click()
    await page
      .getByRole('dialog', { name: beneficiaryTexts.deleteBank })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await expect(row).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  it('hears at the sign-in why the session ended', async () => {
    const visit = await testApp.visit()
    await signInAsMember(visit.page)
    const beside = await visit.newTab()
    await beside.goto('/home/')
    await expect(beside.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
    // Open event streams may receive the end before their page is left.
    visit.expectStatus(401)
    await visit.page.getByRole('button', { name: /^Profile menu of / }).click()
    await visit.page.getByRole('menuitem', { name: 'Logout' }).click()
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(beside.getByRole('alert')).toHaveText('You signed out in another tab.')
  })
})
