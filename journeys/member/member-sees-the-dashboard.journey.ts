// spec: AO 2.7, AO 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, withoutLiveMetrics } from '../kit/visit.ts'

describe('the dashboard of a member', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const cardOf = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
  const drawingOf = (page: Page, currency: string) =>
    page.getByRole('application', { name: `Deposits and withdrawals in ${currency}` })

  it('shows totals by currency from one call, and links each total to its transactions', async () => {
    const { page } = await testApp.visit()
    await withoutLiveMetrics(page)
    await signInAsMember(page)
    // The home page polls pending transactions every ten seconds; this page does not poll.
    await page.goto('/platforms')
    await expect(page.getByRole('heading', { level: 1, name: 'Platform Downloads' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(drawingOf(page, 'USD')).toBeVisible()
    await expect(drawingOf(page, 'EUR')).toBeVisible()
    assert.equal(calls.filter((path) => path === '/members/dashboard').length, 1)
    assert.equal(calls.filter((path) => path === '/graph').length, 0)

    await page.getByText('All', { exact: true }).click()
    await expect(page).toHaveURL(/period=all/)
    await expect(cardOf(page, 'Approved deposits')).toContainText('4 transactions')
    await expect(cardOf(page, 'Approved deposits')).toContainText('14,000.00')
    await page.reload()
    await expect(cardOf(page, 'Approved deposits')).toContainText('4 transactions')

    await cardOf(page, 'Pending deposits').click()
    await expect(page).toHaveURL(/\/funds\/transactions\?kind=live&type=deposit&status=pending/)
    await expect(page.getByText('Showing 1 to 2 of 2 entries')).toBeVisible()
    await page.goBack()
    await cardOf(page, 'Total trading accounts').click()
    await expect(page).toHaveURL(/\/accounts$/)
    await page.goBack()
    await cardOf(page, 'Total bank accounts').click()
    await expect(page).toHaveURL(/\/profile$/)
  })

  it('reads a chart by keyboard and as an exact table', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/dashboard?period=all')
    await expect(drawingOf(page, 'USD')).toBeVisible()
    await drawingOf(page, 'USD').focus()
    await page.keyboard.press('ArrowRight')
    const reading = page.getByRole('status').filter({ hasText: 'Withdrawals' })
    await expect(reading).toContainText('1,500.00')
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('status').filter({ hasText: 'Deposits' })).toContainText('14,000.00')
    const chart = page.getByRole('region', { name: 'USD', exact: true })
    await chart.getByRole('button', { name: 'Show as table' }).press('Enter')
    await expect(chart.getByRole('row', { name: 'Approved' })).toContainText('14,000.00')
    await expect(chart.getByRole('row', { name: 'Rejected' })).toContainText('2,750.00')
  })

  it('opens a general complaint from the dashboard', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Create Ticket' }).click()
    await expect(page.getByRole('dialog', { name: 'Complaint' })).toBeVisible()
  })

  it('shows zeros and a call to action instead of charts to a new member', async () => {
    const { page } = await testApp.visit({ width: 390, height: 844 })
    await signInAsMember(page, 'new')
    await page.goto('/dashboard?period=all')
    await expect(page.getByText('No transactions yet')).toBeVisible()
    await expect(cardOf(page, 'Total trading accounts')).toContainText('0 live, 0 demo')
    await expect(cardOf(page, 'Approved deposits')).toContainText('0 transactions')
  })
})
