// spec: AO 4, AO 8, OP faults
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { accountRow, expectRisen, readBalance } from '../kit/balances.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '700123'
const notLive = 'Balances are not live right now.'

describe('a member views accounts while the trading platform is down', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('sees the last known balances marked as not live, and live ones once the platform is back', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const known = await readBalance(page, login)
    await testApp.platform.down()
    await expectStaleSoon(page)
    assert.equal(await readBalance(page, login), known)
    await expect(page.getByText(notLive)).toContainText('Your funds are not affected.')
    await expect(accountRow(page, login)).toContainText('As of')

    await page.getByText('Card view').click({ force: true })
    await expect(page.getByRole('listitem', { name: `Account ${login}` })).toContainText('As of')
    await page.getByText('List view').click({ force: true })

    await testApp.platform.up()
    testApp.platform.addLedger(login, { amount: '10.10', comment: 'Paid in while we could not see', atMs: Date.now() })
    await expectRisen(page, login, { from: known, by: '10.10' })
    await expect(page.getByText(notLive)).toBeHidden()
    await expect(accountRow(page, login)).not.toContainText('As of')
  })

  /** Metrics a few seconds old still count as live. */
  async function expectStaleSoon(page: Parameters<typeof readBalance>[0]): Promise<void> {
    await expect(async () => {
      await page.goto('/accounts')
      await expect(page.getByText(notLive)).toBeVisible({ timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
  }
})
