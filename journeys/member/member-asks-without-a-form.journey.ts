// spec: AO 2.10, AO 4, AO 8
import { after, afterEach, before, describe, it } from 'node:test'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member sends a request without a form', () => {
  let testApp: TestApp
  let system: System
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('sends a request without a form by one button, and links to the three that have their own pages', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/requests')
    const cards = page.getByRole('list', { name: 'Requests' })
    await cards.getByRole('button', { name: 'Swap-free account' }).click()
    const plain = page.getByRole('dialog', { name: 'Swap-free account', exact: true })
    await expect(page.locator('#custom-request')).toBeAttached()
    await expect(plain.getByText('Accounts without overnight interest.')).toBeVisible()
    await plain.getByRole('button', { name: /^Submit Request/ }).dblclick()
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
    await expect(plain).toHaveCount(0)

    for (const [name, address] of [
      ['Add a Bank Account', /\/funds\/bank-accounts/],
      ['Open a trading account', /\/accounts\/open-live-account/],
      ['Update a trading account', /\/accounts\/?$/],
    ] as const) {
      await page.goto('/requests')
      await cards.getByRole('link', { name }).click()
      await expect(page).toHaveURL(address)
    }
  })

  it('reports at cancellation that a request was decided meanwhile', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(409)
    await signInAsMember(page)
    await page.goto('/requests?tab=history&q=higher%20leverage')
    await page.getByRole('link', { name: /^Open request/ }).click()
    await page.getByRole('button', { name: 'Cancel request', exact: true }).click()
    await inTransaction(system, (tx) =>
      tx
        .updateTable('requests')
        .set({ status: 'done' })
        .where('workspace_id', '=', system.workspaceId)
        .where('subject', '=', 'Higher leverage')
        .where('status', '=', 'in-progress')
        .execute(),
    )
    const cancelling = page.getByRole('dialog', { name: /^Cancel request/ })
    await cancelling.getByLabel('Comment').fill('No more.')
    await cancelling.getByRole('button', { name: 'Cancel request', exact: true }).click()
    await expect(cancelling.getByText('This request is already done. It cannot be cancelled any more.')).toBeVisible()
  })

  it('shows a message where no request types are offered', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('request_types')
        .set({ show_in_portal: false })
        .where('workspace_id', '=', system.workspaceId)
        .execute(),
    )
    await page.goto('/requests')
    await expect(page.getByText(requestTexts.none)).toBeVisible()
    // Actions that need no request type stay available.
    await expect(page.getByRole('link', { name: 'Add a Bank Account' })).toBeVisible()
  })
})
