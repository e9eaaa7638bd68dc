// spec: MP 2.4, MP 4, MP 9, AO 2.3, AO 2.5, AO 2.6
import { after, afterEach, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { brokerage } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { openingForm } from '../kit/opening.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, withoutLiveMetrics } from '../kit/visit.ts'
import { openAccount } from '../screens/portal-accounts.ts'

type Offered = {
  platforms: { groups: { name: string; alias: string; kind: string }[] }[]
  acc_creation_live_configuration: { enabled: boolean }
}

describe('a member uses features that are missing, disabled, or too long for a plain list', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** The server's configuration with the changes of this test. */
  async function offer(page: Page, change: (config: Offered) => void): Promise<void> {
    await page.route('**/members/trading/configuration', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { config: Offered }
      change(body.config)
      await route.fulfill({ response: answer, json: body })
    })
  }

  async function setFeature(name: 'trades' | 'balance_transactions', isOn: boolean): Promise<void> {
    const features = JSON.stringify({ ...brokerage.features, [name]: isOn })
    await inTransaction(testApp.system, (tx) =>
      tx.updateTable('workspaces').set({ features }).where('workspace_id', '=', testApp.system.workspaceId).execute(),
    )
  }

  it('searches among more than ten groups, and picks from a plain list among fewer', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/accounts/open-live-account')
    const { group } = openingForm(page, 'live')
    await expect(group).not.toBeEditable()
    await offer(page, ({ platforms: [first] }) => {
      if (first) first.groups = Array.from({ length: 11 }, (_, at) => groupOf(at + 1))
    })
    await page.reload()
    await group.fill('11')
    await expect(page.getByRole('option')).toHaveText(['Account 11'])
    await page.getByRole('option').click()
    await expect(group).toHaveValue('Account 11')
  })

  it('links to support where account opening is off, and offers the other kind of account in an empty list', async () => {
    const { page } = await testApp.visit()
    await page.route('**/members/crm-settings*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.settings.account_openings.live = false
      await route.fulfill({ response, json: body })
    })
    await signInAsMember(page, 'new')
    await offer(page, (config) => {
      config.acc_creation_live_configuration.enabled = false
    })
    await page.goto('/accounts')
    const empty = page.getByRole('main')
    await expect(empty.getByText(texts.noAccounts)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open Demo Account' })).toHaveCount(2)
    await expect(page.getByRole('link', { name: 'Open Live Account' })).toHaveCount(0)
    await page.goto('/accounts/open-live-account')
    await expect(page).toHaveURL(/\/support$/)
  })

  it('shows tabs on an account only if there are several', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await openAccount(page, '700123')
    const trading = page.getByRole('link', { name: 'Trading', exact: true })
    await expect(trading).toBeVisible()
    await setFeature('trades', false)
    await page.reload()
    await expect(page.getByText('Deposit 1015')).toBeVisible()
    await expect(trading).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Balance', exact: true })).toHaveCount(0)
    await setFeature('balance_transactions', false)
    await page.reload()
    await expect(page.getByText('Deposit 1015')).toBeVisible()
    await expect(trading).toBeVisible()
    await setFeature('trades', true)
  })

  it('shows that there is no attachment, and a loading state for transactions', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await withoutLiveMetrics(page)
    await openAccount(page, '700123')
    await page
      .getByRole('option', { name: /Withdrawal 1011/ })
      .or(page.getByText('Withdrawal 1011'))
      .first()
      .click()
    await expect(page.getByText(texts.noAttachments)).toBeVisible()
    await page.route('**/graph?**', (route) =>
      atob(new URL(route.request().url()).searchParams.get('q') ?? '').includes('AccountTransactions')
        ? undefined
        : route.continue(),
    )
    await page.reload()
    await expect(page.getByText(texts.loadingTransactions)).toBeVisible()
  })

  it('shows that there is nothing to download without an account, and whom to contact if no link exists', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/platforms')
    await expect(page.getByText(texts.noAccounts)).toBeVisible()
    await inTransaction(testApp.system, (tx) =>
      tx
        .updateTable('platform_downloads')
        .set({ archived_at: new Date() })
        .where('workspace_id', '=', testApp.system.workspaceId)
        .execute(),
    )
    const other = await testApp.visit()
    await signInAsMember(other.page)
    await other.page.goto('/platforms')
    await expect(other.page.getByText('No download links added yet. Contact the manager.').first()).toBeVisible()
  })
})

const groupOf = (at: number) => ({ name: `real\\account-${at}`, alias: `Account ${at}`, kind: 'live' })
