// spec: AO 2.4
import { after, afterEach, before, describe, it } from 'node:test'
import { identityTexts } from '@atrium/contract/documents/identity-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { reading } from '../../server/foundation/database/database.ts'
import { setIdentity } from '../../tests/fixtures/workspaces.ts'
import { acceptCreated, openTransaction, transactionRow } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { approveAtDesk, fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

async function memberOf({ system }: TestApp, customerNumber: string): Promise<string> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('members')
      .select('member_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('customer_number', '=', customerNumber)
      .executeTakeFirstOrThrow(),
  )
  return row.member_id
}

describe('a member withdraws and can always see where the money is', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('links to the KYC documents before the form while the identity is not approved', async () => {
    await setIdentity(testApp.system, await memberOf(testApp, '100417'), 'rejected')
    const { page } = await testApp.visit({ width: 390 })
    await signInAsMember(page)
    await page.goto('/funds/withdraw')
    await expect(page.getByText(identityTexts.withdrawalNeeds)).toBeVisible()
    const { page: desk } = await testApp.visit({ width: 1280 })
    await signInAsStaff(desk)
    await desk.goto('/desk/withdrawals')
    await expect(desk.getByRole('list', { name: 'Withdrawals' })).toContainText('Documents rejected')
    await page.getByRole('link', { name: 'Go to Documents' }).click()
    await expect(page).toHaveURL(/\/documents$/)
  })

  it('requests a withdrawal, sees the amount reserved, and is paid once staff have decided', async () => {
    await setIdentity(testApp.system, await memberOf(testApp, '100417'), 'approved')
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsMember(page)
    await fillWithdrawal(page, { login: '700123', amount: '61.50', comment: 'For the roof' })
    const summary = page.getByRole('complementary', { name: 'Summary' })
    await expect(summary).toContainText('Available to withdraw')
    await expect(summary).toContainText('61.50')
    await withdrawalForm(page).create.click()
    const ticket = await acceptCreated(page)
    await expect(transactionRow(page, ticket)).toContainText('Pending')

    const { desk, withdrawal } = await approveAtDesk(testApp, ticket)
    await withdrawal.getByRole('button', { name: 'Mark as paid' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog.getByText(texts.fieldsMissing)).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Payment reference' }).fill('SWIFT 4711')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(withdrawal).toContainText('Paid out')

    await page.reload()
    await openTransaction(page, ticket)
    const timeline = page.getByRole('list', { name: 'Timeline' })
    for (const step of ['You created the withdrawal', 'Debited from your trading account', 'Paid out', 'SWIFT 4711'])
      await expect(timeline).toContainText(step)
  })
})
