import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import { reading } from '../../server/foundation/database/database.ts'
import { acceptCreated } from '../kit/depositing.ts'
import { comeBack, isRefused, visitor } from '../kit/offline.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

const login = '700123'

describe('a member withdraws while the network comes and goes', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** The stored transactions with one of these amounts. */
  const amountsLike = async (amounts: string[]): Promise<string[]> => {
    const rows = await reading(testApp.system, (tx) =>
      tx
        .selectFrom('balance_transactions')
        .select('amount')
        .where('workspace_id', '=', testApp.system.workspaceId)
        .where(sql<string>`abs(amount)`, 'in', amounts)
        .execute(),
    )
    return rows.map(({ amount }) => toScale(amount.replace('-', ''), 'USD')).toSorted()
  }

  it('changes the amount offline and withdraws that amount once after reconnecting', async () => {
    const visit = await visitor(testApp)
    const { page, context } = visit
    await fillWithdrawal(page, { login, amount: '34.08', comment: 'Changed meanwhile' })
    const { amount, create } = withdrawalForm(page)
    await context.setOffline(true)
    await isRefused(page, create)
    await amount.fill('35.08')
    await comeBack(visit)
    await create.click()
    await acceptCreated(page)
    assert.deepEqual(await amountsLike(['34.08', '35.08']), ['35.08'])
  })

  it('changes the amount after the server accepted the withdrawal, and sees the first one instead of making two', async () => {
    const visit = await visitor(testApp)
    const { page } = visit
    visit.expectFailure('net::ERR_FAILED')
    visit.expectStatus(409)
    await fillWithdrawal(page, { login, amount: '34.09', comment: 'Its answer is lost' })
    const { amount, create } = withdrawalForm(page)
    await page.route('**/members/withdrawals/create', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await create.click()
    const alert = page.getByRole('alert')
    await expect(alert.filter({ hasText: 'it can only be created once' })).toBeVisible()
    await amount.fill('35.09')
    await page.unroute('**/members/withdrawals/create')
    await create.click()
    await expect(alert.filter({ hasText: outcomeTexts.earlierAttemptDone })).toBeVisible()
    await expect(amount).toHaveValue('35.09')
    assert.deepEqual(await amountsLike(['34.09', '35.09']), ['34.09'])
  })
})
