// spec: DK reconciliation
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Download, Page } from 'playwright'
import { readPdf } from '../../tests/fixtures/pdf-text.ts'
import { chooseOption } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { aTransaction } from '../screens/lists.ts'

describe('a member exports transactions and statements', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const taken = async (page: Page, press: () => Promise<void>): Promise<Download> => {
    const download = page.waitForEvent('download')
    await press()
    return download
  }

  it('exports the filtered list as a table with the same values', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    await expect(aTransaction(page)).toBeVisible()
    await chooseOption(page, page.getByRole('combobox', { name: 'Status' }), /^Rejected$/)
    await expect(page).toHaveURL(/status=rejected/)
    const rows = page.getByRole('table').locator('tbody tr')
    await expect(rows.first()).toContainText('Rejected')
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
    const shown = await rows.count()
    const file = await taken(page, () => page.getByRole('button', { name: 'Export CSV' }).click())
    assert.match(file.suggestedFilename(), /^transactions.*\.csv$/)
    const [heads = '', ...lines] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    assert.match(heads, /Time \(UTC\),Ticket,Account,Transaction,Payment method,Status,Total,Currency/)
    assert.equal(lines.length, shown)
    for (const line of lines) assert.match(line, /,Rejected,-?\d+(\.\d+)?,[A-Z]{3},/)
  })

  it('downloads a monthly statement of an account, whose closing balance matches the platform', async () => {
    const { page, expectStatus } = await testApp.visit({ width: 1440 })
    // While the ledger is still loading, the server answers 503 and the page retries.
    expectStatus(503)
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    await expect(aTransaction(page)).toBeVisible()
    await page.getByRole('button', { name: 'Statements' }).click()
    await page.getByRole('menuitem', { name: '#700124' }).click()
    const file = await taken(page, () => page.getByRole('menuitem').first().click())
    assert.match(file.suggestedFilename(), /^statement-700124-20\d\d-\d\d\.pdf$/)
    const { text } = readPdf(readFileSync(await file.path()))
    assert.match(text, /Harbour Markets/)
    assert.match(text, /#700124 · /)
    assert.doesNotMatch(text, /differs from the trading platform/)
    const closing = /Closing balance\n(-?[\d,]+\.\d\d)/.exec(text)?.[1]
    const stands = testApp.platform.account('700124')
    assert.equal(closing?.replaceAll(',', ''), stands?.balance)
  })
})
