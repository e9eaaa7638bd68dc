// spec: AO 2.5
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page } from 'playwright'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { openAccount } from '../screens/portal-accounts.ts'

const dayMs = 86_400_000

describe('a member views trades', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp({ movingPrices: true })
    const now = Date.now()
    const prices = { openPrice: '2400.00', closePrice: '2391.50', lots: '0.25' }
    const when = { openedAtMs: now - dayMs, closedAtMs: now - dayMs / 2 }
    testApp.platform.addTrade('700123', { symbol: 'XAUUSD', side: 'buy', ...prices, ...when, comment: '=2+2' })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const closed = (page: Page): Locator => page.getByRole('table', { name: 'Trade history' })
  const rows = (page: Page): Locator => closed(page).locator('tbody tr')
  const openTrading = (page: Page) => page.getByRole('link', { name: 'Trading', exact: true }).click()

  it('sees open positions update, and finds one trade by symbol, side and order', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await openAccount(page, '700123')
    await openTrading(page)
    const open = page.getByRole('table', { name: 'Open positions' })
    const profit = open.locator('tbody tr').first().locator('td').last()
    await expect(profit).toContainText('USD')
    const before = await profit.textContent()
    await expect.poll(() => profit.textContent()).not.toBe(before)

    await expect(page.getByText('Showing 1 to 15 of')).toBeVisible()
    await expect(page.getByText('Older trades are still being read')).toHaveCount(0)
    await expect(closed(page)).not.toContainText('OP_')
    await expect(closed(page)).toContainText('Filled')
    await page.getByRole('combobox', { name: 'Symbol' }).click()
    await page.getByRole('option', { name: 'XAUUSD' }).click()
    await expect(rows(page)).toHaveCount(2)
    await expect(closed(page).locator('tfoot')).toContainText('Total of 2')
    await expect(rows(page).first()).toContainText('SELL')
    await expect(rows(page).first()).toContainText('Out')
    await expect(rows(page).first()).toContainText('0.25')
    await page.getByRole('combobox', { name: 'Entry' }).click()
    await page.getByRole('option', { name: 'In', exact: true }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('BUY')
    assert.match(page.url(), /symbol=XAUUSD/)
    await page.reload()
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear filters' }).click()

    await closed(page).getByRole('button', { name: 'Profit' }).click()
    await closed(page).getByRole('button', { name: 'Profit' }).click()
    await expect(closed(page).getByRole('columnheader', { name: 'Profit' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(rows(page).first()).toContainText('\u2212')
    await rows(page).first().getByRole('button').click()
    await expect(page.getByRole('dialog')).toContainText('Commission')
    await page.keyboard.press('Escape')
  })

  it('exports the table as a file that runs no formula', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await openAccount(page, '700123')
    await openTrading(page)
    await expect(page.getByText('Showing 1 to 15 of')).toBeVisible()
    await page.getByRole('combobox', { name: 'Symbol' }).click()
    await page.getByRole('option', { name: 'XAUUSD' }).click()
    await expect(rows(page)).toHaveCount(2)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'trades-700123.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[1] ?? '', /XAUUSD,SELL,Out,0\.25,2400\.00,2391\.50,.*,'=2\+2$/)
  })

  it('shows an MT4 account with its own terms, and steps through trades by keyboard', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await openAccount(page, '400310')
    await openTrading(page)
    await expect(closed(page)).toContainText('Closed')
    await expect(page.getByRole('combobox', { name: 'Entry' })).toHaveCount(0)
    await page.getByText('Details view').click()
    const list = page.getByRole('listbox', { name: 'Trade history' })
    await expect(list.getByRole('option', { selected: true })).toHaveCount(1)
    const first = (await page.getByRole('heading', { name: /^Trade \d/ }).textContent()) ?? ''
    await list.focus()
    await page.keyboard.press('ArrowDown')
    await expect(list.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('heading', { name: /^Trade \d/ })).not.toHaveText(first)
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('heading', { name: /^Trade \d/ })).toHaveText(first)
  })

  it('shows each balance transaction with its receipt and the platform’s ticket', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await openAccount(page, '700123')
    const list = page.getByRole('listbox', { name: 'Transactions' })
    await expect(list.getByRole('option').first()).toBeVisible()
    await list.focus()
    await page.keyboard.press('End')
    const card = page.getByRole('region', { name: /^Transaction \d+$/ })
    await expect(card).toContainText('Platform ticket')
    await expect(card).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4} \d{2}:\d{2}/)
    await expect(card.getByText(texts.noAttachments).or(card.getByRole('link')).first()).toBeVisible()
  })

  it('shows the last known trades while the platform is down', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page)
    await openAccount(page, '700123')
    await openTrading(page)
    await expect(page.getByText('Live data')).toBeVisible()
    await expect(rows(page)).toHaveCount(15)
    await testApp.platform.down()
    await page.reload()
    await expect(rows(page)).toHaveCount(15)
    await expect(page.getByText('The platform has not answered since')).toBeVisible({ timeout: 60_000 })
    await testApp.platform.up()
  })
})
