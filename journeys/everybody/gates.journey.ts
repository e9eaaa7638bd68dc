// spec: MP 2.2, MP 4, MP 6, AO 2.1

/** The scope table as a member sees it in the browser: menu, addresses and the message at each closed scope. */

import { after, afterEach, before, describe, it } from 'node:test'
import { type Feature, features, type Scope, type ScopeRule, scopes } from '@atrium/contract/access/scopes.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { brokerage, signIns } from '../../demo/harbour-markets.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { places } from '../../web/portal/menu.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const rules = Object.entries(scopes) as [Scope, ScopeRule][]
const permissionsOf = ({ permission }: ScopeRule): string[] => (permission === undefined ? [] : [permission].flat())
const addressOf = (route: string): string => route.replace(/\/:\w+\?/, '')
const noAccess = 'You do not have access to this page'

describe('a scope closed to a member', () => {
  let testApp: TestApp
  let system: System
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
  })
  afterEach(async () => {
    await gates({})
    await testApp.endVisits()
  })
  after(() => testApp.close())

  async function gates({ off = [], denied = [] }: { off?: readonly Feature[]; denied?: string[] }): Promise<void> {
    const chosen = { ...brokerage.features, ...Object.fromEntries(off.map((feature) => [feature, false])) }
    await inTransaction(system, async (tx) => {
      await tx
        .updateTable('workspaces')
        .set({ features: JSON.stringify(chosen) })
        .where('workspace_id', '=', system.workspaceId)
        .execute()
      await tx
        .updateTable('members')
        .set({ permissions: denied.map((key) => `${key}-`) })
        .where('workspace_id', '=', system.workspaceId)
        .where('email', '=', signIns.member)
        .execute()
    })
  }

  const entries = (page: Page, scope: Scope) =>
    places
      .filter((place) => place.scope === scope)
      .map(({ label }) =>
        page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: label, exact: true }),
      )

  it('hides the menu entry and every address of a feature that is off', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    for (const [scope, rule] of rules.filter(([, { features: own }]) => own.length > 0)) {
      await gates({ off: rule.features })
      for (const route of rule.routes) {
        await page.goto(addressOf(route))
        await expect(page.getByText(texts.notFoundPage), `${route} of ${scope}`).toBeVisible()
      }
      await page.goto('/profile')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      for (const entry of entries(page, scope)) await expect(entry, scope).toHaveCount(0)
    }
  })

  it('shows the access-denied page while the permission is denied', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    for (const [scope, rule] of rules.filter(([, each]) => permissionsOf(each).length > 0)) {
      await gates({ denied: permissionsOf(rule) })
      for (const route of rule.routes) {
        await page.goto(addressOf(route))
        await expect(page, `${route} of ${scope}`).toHaveURL(/\/unauthorized$/)
        await expect(page.getByText(noAccess)).toBeVisible()
      }
      for (const entry of entries(page, scope)) await expect(entry, scope).toHaveCount(0)
    }
  })

  it('shows Funds while deposits, withdraw, balance transactions or accounts is on, and the profile always', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    const funds = menu.getByRole('link', { name: 'Funds', exact: true })
    // Leaves the page that still requests account metrics, which would now be refused.
    await page.goto('/profile')
    await expect(funds).toBeVisible()
    for (const only of scopes.funds.features) {
      await gates({ off: features.filter((feature) => feature !== only) })
      await page.goto('/profile')
      await expect(funds, only).toBeVisible()
    }
    await gates({ off: features })
    await page.goto('/profile')
    await expect(menu.getByRole('link', { name: 'Profile', exact: true })).toBeVisible()
    await expect(menu.getByRole('link')).toHaveText(['Home', 'Profile'])
    for (const name of ['Open Live Account', 'Open Demo Account', 'Quick Deposit'])
      await expect(page.getByRole('link', { name })).toHaveCount(0)
  })

  it('allows access while permissions are unavailable, and denies it once they load', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await gates({ denied: ['downloads'] })
    visit.expectStatus(500)
    const fault = { status: 'error', code: 'fault', error: texts.requestFailed, request_id: 'none' }
    await page.route('**/user/permissions', (route) => route.fulfill({ status: 500, json: fault }))
    await page.goto('/platforms')
    await expect(page.getByRole('heading', { level: 1, name: 'Downloads' })).toBeVisible()
    await page.unroute('**/user/permissions')
    await expect(page).toHaveURL(/\/unauthorized$/)
  })

  for (const [name, address] of [
    ['permissions', '**/user/permissions'],
    ['settings', '**/members/crm-settings*'],
  ] as const) {
    for (const status of [403, 404]) {
      it(`ends the session if the call for ${name} returns ${status}`, async () => {
        const visit = await testApp.visit()
        const { page } = visit
        await signInAsMember(page)
        visit.expectStatus(status)
        const json = { status: 'error', code: status === 403 ? 'not_permitted' : 'not_found', error: 'No.' }
        await page.route(address, (route) => route.fulfill({ status, json }))
        await page.goto('/accounts?view=cards')
        await expect(page).toHaveURL(/\/login$/)
        const stored = await page.evaluate("sessionStorage.getItem('atrium.portal.session')")
        expect(stored).toBeNull()
      })
    }
  }
})
