// spec: AO 2.3, AO 5, AO 8
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { addAmounts, toScale } from '@atrium/contract/money/money.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page } from 'playwright'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { accountRow, readBalance } from '../kit/balances.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { openAccount } from '../screens/portal-accounts.ts'

const login = '700123'
const metrics = (page: Page) => page.getByRole('region', { name: 'Balance and equity' })
const shown = (amount: string) => Number(amount).toLocaleString('en', { minimumFractionDigits: 2 })

describe('a member views trading accounts', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Adds a balance operation on the platform, outside the portal. */
  async function payIn(amount: string, to = login): Promise<void> {
    await testApp.platform.addLedger(to, { amount, comment: 'Interest', atMs: Date.now() })
  }

  it('sees the balance change in the list and on the account page without a reload', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const known = await readBalance(page, login)
    await payIn('10.00')
    const risen = toScale(addAmounts(known, '10.00'), 'USD')
    await expect(accountRow(page, login)).toContainText(shown(risen))

    await page.getByRole('link', { name: `Open account ${login}` }).click()
    await expect(page.getByRole('heading', { name: `Account #${login} - Transactions` })).toBeVisible()
    await expect(metrics(page)).toContainText(shown(risen))
    await payIn('5.00')
    await expect(metrics(page)).toContainText(shown(toScale(addAmounts(risen, '5.00'), 'USD')))
    for (const name of ['Equity', 'Floating P&L', 'Margin', 'Free margin', 'Margin level'])
      await expect(metrics(page).getByText(name, { exact: true })).toBeVisible()
  })

  it('sees only accounts near the viewport change, and the others as soon as they are scrolled to', async () => {
    const { page } = await testApp.visit({ width: 390, height: 400 })
    await signInAsMember(page)
    await page.goto('/accounts?q=7&order=login')
    await expect(page.getByText('Your live and demo accounts on every platform.')).toBeVisible()
    const [near, far] = [login, '700901'].map((of) => page.getByRole('listitem', { name: `Account ${of}` }))
    assert.ok(near && far)
    const balanceOf = async (card: Locator) =>
      /Balance([\d,.]+)/.exec((await card.textContent()) ?? '')?.[1]?.replaceAll(',', '') ?? ''
    const [known, knownFar] = [await balanceOf(near), await balanceOf(far)]
    await payIn('3.21', '700901')
    await payIn('3.21')
    await expect(near).toContainText(shown(toScale(addAmounts(known, '3.21'), 'USD')))
    assert.equal(await balanceOf(far), knownFar)
    await far.scrollIntoViewIfNeeded()
    await expect(far).toContainText(shown(toScale(addAmounts(knownFar, '3.21'), 'USD')))
  })

  it('filters accounts by kind, platform and order, and keeps the filters in the address', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await readBalance(page, login)
    await page.getByRole('radiogroup', { name: 'Account type' }).getByText('Demo').click({ force: true })
    await expect(accountRow(page, login)).toHaveCount(0)
    await expect(accountRow(page, '700901')).toBeVisible()
    await page.reload()
    await expect(accountRow(page, '700901')).toBeVisible()
    await expect(accountRow(page, login)).toHaveCount(0)
  })

  it('finds an account by login or currency, and sees which one is read-only', async () => {
    await inTransaction(testApp.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ enable_read_only: true })
        .where('workspace_id', '=', testApp.system.workspaceId)
        .where('platform_login', '=', '700124')
        .execute(),
    )
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/accounts')
    await expect(accountRow(page, '700124')).toContainText('Read-only')
    const search = page.getByRole('searchbox', { name: 'Search accounts' })
    await search.fill('#700901')
    await expect(accountRow(page, login)).toHaveCount(0)
    await expect(accountRow(page, '700901')).toBeVisible()
    await search.fill('eur')
    await expect(accountRow(page, '700124')).toBeVisible()
    await expect(accountRow(page, '700901')).toHaveCount(0)
    await search.fill('none of these')
    await expect(page.getByText(texts.noResults)).toBeVisible()
  })

  it('shows the equity over the chosen period, as a chart and as a table', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await openAccount(page, login)
    const chart = page.getByRole('region', { name: 'Equity', exact: true })
    await expect(chart.getByRole('button', { name: 'Show as table' })).toBeVisible()
    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('1Y').click({ force: true })
    await expect(page).toHaveURL(/range=1y/)
    await chart.getByRole('button', { name: 'Show as table' }).click()
    await expect(chart.getByRole('table')).toBeVisible()
    // The earlier period stays visible until the year has loaded.
    await expect.poll(() => chart.getByRole('row').count()).toBeGreaterThan(100)
  })

  it('sets a new account password, which only the platform stores', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await openAccount(page, login)
    await page.getByRole('button', { name: 'Change Password' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(accountTexts.passwordHint)).toBeVisible()
    await dialog.getByLabel('New password', { exact: true }).fill('NoSpecial1')
    await dialog.getByLabel('Confirm new password').fill('NoSpecial1')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(dialog.getByText(openingTexts.openingPasswordSpecial).first()).toBeVisible()
    await dialog.getByLabel('New password', { exact: true }).fill('Tidal#Gauge71')
    await dialog.getByLabel('Confirm new password').fill('Tidal#Gauge71')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText(accountTexts.passwordChanged)).toBeVisible()
    await expect(dialog).toHaveCount(0)
  })

  it("shows nothing of another member's account", async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/accounts/0190a0b0-0000-7000-8000-000000000002')
    await expect(page.getByRole('heading', { name: texts.notFoundPage })).toBeVisible()
    await page.goto('/accounts/not-an-id')
    await expect(page.getByRole('heading', { name: texts.notFoundPage })).toBeVisible()
  })
})
