// spec: DK reconciliation
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { zoneOfNoon } from '../../tests/fixtures/reconciliations.ts'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('staff reconcile a day with the platforms', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
    await workWhereItIsNoon()
    // A dealer credited an account manually on the platform.
    testApp.platform.addLedger('700123', { amount: '12.34', atMs: Date.now() - 90_000, comment: 'Goodwill' })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Sets the workspace's time zone to one where it is noon, so that recent events are always of today. */
  async function workWhereItIsNoon(): Promise<void> {
    const { system } = testApp
    const withdrawal_cut_off = { time: '15:00', zone: zoneOfNoon(), days_min: 1, days_max: 3 }
    await inTransaction(system, (tx) =>
      tx
        .updateTable('workspaces')
        .set({ settings: sql`settings || ${JSON.stringify({ withdrawal_cut_off })}::jsonb` })
        .where('workspace_id', '=', system.workspaceId)
        .execute(),
    )
  }

  it("find a dealer's manual operation, explain it, and export the mismatches", async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsStaff(page)
    await page.getByRole('link', { name: /^Reconciliation/ }).click()
    const compare = page.getByRole('button', { name: 'Compare today so far' })
    await compare.click()
    const days = page.getByRole('list', { name: 'Days' })
    await expect(compare).toHaveCount(0)
    await days.getByRole('link').first().click()
    const day = page.getByRole('region', { name: 'Day' })
    const found = day.getByRole('listitem').filter({ hasText: '12.34' })
    await expect(found).toContainText('Missing in the portal', { timeout: 30_000 })
    await expect(found).toContainText('To review')
    await expect(found.getByRole('link', { name: /700123$/ })).toBeVisible()

    await found.getByRole('button', { name: 'Explain' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save the explanation' }).click()
    await expect(dialog).toContainText('Please fill all required fields.')
    await dialog.getByRole('textbox').fill('Goodwill after the outage, granted by the dealing desk')
    await dialog.getByRole('button', { name: 'Save the explanation' }).click()
    await expect(found).toContainText('Explained')
    await expect(found).toContainText('Nora Vella')

    await page.getByRole('combobox', { name: 'Which days' }).click()
    await page.getByRole('option', { name: 'With differences' }).click()
    await expect(page).toHaveURL(/only=differences/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'reconciliation-differences.csv')
    const table = readFileSync(await download.path(), 'utf8')
    assert.match(table, /missing_at_portal,USD,platform,,,,12\.34,700123,,\d+,explained,"?Goodwill after the outage/)
  })

  it('export the queue of deposits', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsStaff(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'deposits.csv')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    assert.ok(lines.length > 1)
    for (const line of lines.slice(1)) assert.match(line, /,pending,/)
  })
})
