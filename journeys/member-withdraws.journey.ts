import { after, afterEach, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { acceptCreated, openTransaction, transactionRow } from './depositing.ts'
import { signInAsMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect } from './visit.ts'
import { approveAtDesk, fillWithdrawal, withdrawalForm } from './withdrawing.ts'

describe('a member withdraws and always knows where the money is', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endVisits())
  after(() => stage.close())

  it('asks, sees it reserved, and is paid once the desk has decided', async () => {
    const { page } = await stage.visit({ width: 1280 })
    await signInAsMember(page)
    await fillWithdrawal(page, { login: '700123', amount: '61.50', comment: 'For the roof' })
    const summary = page.getByRole('complementary', { name: 'Summary' })
    await expect(summary).toContainText('Free to withdraw')
    await expect(summary).toContainText('61.50')
    await withdrawalForm(page).create.click()
    const ticket = await acceptCreated(page)
    await expect(transactionRow(page, ticket)).toContainText('Pending')

    const { desk, withdrawal } = await approveAtDesk(stage, ticket)
    await withdrawal.getByRole('button', { name: 'Mark as paid' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog.getByText(texts.fieldsMissing)).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Reference of the payment' }).fill('SWIFT 4711')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(withdrawal).toContainText('Paid out')

    await page.reload()
    await openTransaction(page, ticket)
    const timeline = page.getByRole('list', { name: 'Timeline' })
    for (const step of ['You created the withdrawal', 'Taken from your trading account', 'Paid out', 'SWIFT 4711'])
      await expect(timeline).toContainText(step)
  })
})
