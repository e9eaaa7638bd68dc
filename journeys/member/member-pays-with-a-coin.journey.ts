// spec: AO 2.5, AO 3, AO 5, AO 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import type { Locator, Page } from 'playwright'
import { expectRisen, readBalance } from '../kit/balances.ts'
import { chooseOption, depositForm } from '../kit/depositing.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, type Visit } from '../kit/visit.ts'

const login = '700123'

describe('a member pays with a coin', () => {
  let testApp: TestApp
  let foreignOrigins: string[]
  before(async () => {
    testApp = await openTestApp()
    foreignOrigins = [testApp.payments.coinpayments.url]
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function visitor(): Promise<Visit> {
    const visit = await testApp.visit({ foreignOrigins })
    await signInAsMember(visit.page)
    return visit
  }

  const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })

  it('chooses a coin, sees the address, watches it arrive, and has the money on the account', async () => {
    const { page, context } = await visitor()
    const before = await readBalance(page, login)
    const sending = await startWith(page, /^LTCT/, '150')
    await expect(sending.getByRole('img', { name: 'QR code of the address' })).toBeVisible()
    await expect(sending.getByText('Litecoin Testnet')).toBeVisible()
    await expect(sending.getByText(/^1\.78571429 LTCT$/)).toBeVisible()
    await sending.getByRole('button', { name: 'I have sent it' }).click()
    await expect(page).toHaveURL(/\/funds\/transactions\?view=pending/)
    await expect(page.getByRole('heading', { level: 1, name: 'Pending Deposits' })).toBeVisible()
    const row = rowOf(page, 'LTCT with CoinPayments')
    await expect(row).toContainText('Waiting for coins')
    await expect(row).toContainText('150.00')

    await row.getByRole('button', { name: /^How to pay/ }).click()
    const details = page.getByRole('dialog', { name: 'Send LTCT' })
    await expect(details.getByRole('button', { name: 'Copy Address' })).toBeVisible()
    const opening = context.waitForEvent('page')
    await details.getByRole('link', { name: 'Open the checkout page' }).click()
    const checkout = await opening
    await checkout.getByRole('button', { name: 'Send the coins, not confirmed yet' }).click()
    await checkout.close()
    await expect(details.getByText(/We detected your coins/)).toBeVisible()
    await details.getByRole('button', { name: 'Close' }).last().click()
    await expect(row).toContainText('Confirming')

    const [attempt] = [...testApp.payments.coinpayments.orders.keys()]
    assert.ok(attempt)
    testApp.payments.coinpayments.set(attempt, '100')
    assert.equal((await testApp.payments.coinpayments.notify(attempt))?.status, 200)
    await expect(row).toHaveCount(0)
    await page.getByRole('link', { name: 'All Transactions' }).click()
    await expect(page.getByRole('row').nth(1)).toContainText('Approved')
    await expect(page.getByRole('row').nth(1)).toContainText('+150.00')
    const drawn = /^data:image\/svg\+xml/
    await expect(page.getByRole('row').nth(1).locator('img')).toHaveAttribute('src', drawn)
    await expectRisen(page, login, { from: before, by: '150' })
  })

  it('pages through the pending coin deposits, fifteen on each page', async () => {
    const { page } = await visitor()
    const sending = await startWith(page, /^LTCT/, '80')
    const asked: { page: number; limit: number }[] = []
    let last: unknown[] = []
    await page.route('**/graph?**', async (route) => {
      const { searchParams } = new URL(route.request().url())
      if (!atob(searchParams.get('q') ?? '').includes('PendingDeposits')) return route.continue()
      const variables = JSON.parse(atob(searchParams.get('v') ?? '')) as { page: number; limit: number }
      asked.push(variables)
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { data: { pending_deposits: unknown[] } }
      // Simulates fifteen earlier orders: the second page shows the one order of the first page.
      if (variables.page === 1) last = data.pending_deposits.slice(0, 1)
      const rows = variables.page === 2 ? last : data.pending_deposits
      await route.fulfill({ response: answer, json: { data: { pending_deposits: rows }, extra: { countOrders: 16 } } })
    })
    await sending.getByRole('button', { name: 'I have sent it' }).click()
    await expect(page.getByText('Showing 1 to 15 of 16 entries')).toBeVisible()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect(page).toHaveURL(/page=2/)
    await expect(page.getByText('Showing 16 to 16 of 16 entries')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    assert.deepEqual([...new Set(asked.map(({ limit }) => limit))], [15])
    await page.goto(`${new URL(page.url()).pathname}?view=pending&page=9`)
    await expect(page.getByText('Showing 16 to 16 of 16 entries')).toBeVisible()
    await expect(page).toHaveURL(/\?view=pending&page=2$/)
    // The list keeps polling; responses after the end of the visit are ignored.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('opens the pending deposit of a link that is on another page', async () => {
    const { page } = await visitor()
    const sending = await startWith(page, /^LTCT/, '85')
    await sending.getByRole('button', { name: 'I have sent it' }).click()
    await page
      .getByRole('button', { name: /^How to pay/ })
      .first()
      .click()
    await expect(page.getByRole('dialog', { name: 'Send LTCT' })).toBeVisible()
    const link = page.url()
    await page.route('**/graph?**', async (route) => {
      const { searchParams } = new URL(route.request().url())
      const asked = searchParams.get('v') ? JSON.parse(atob(searchParams.get('v') ?? '')) : {}
      const isOfPage = atob(searchParams.get('q') ?? '').includes('PendingDeposits') && !asked._id
      if (!isOfPage) return route.continue()
      // Later orders have moved it to the second page.
      await route.fulfill({ json: { data: { pending_deposits: [] }, extra: { countOrders: 0 } } })
    })
    await page.goto(link)
    await expect(page.getByText('There are no search results.')).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'Send LTCT' })).toBeVisible()
    await expect(page.getByText('This deposit is no longer pending.')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('shows the destination tag that some coins need', async () => {
    const { page } = await visitor()
    const sending = await startWith(page, /^XRP/, '60')
    await expect(sending.getByText('Destination tag or memo')).toBeVisible()
    await expect(sending.getByText(/Without the destination tag/)).toBeVisible()
  })

  it('reports a missing coin before sending anything', async () => {
    const { page } = await visitor()
    const calls = testApp.payments.coinpayments.startCalls()
    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, new RegExp(`#${login}`))
    await page.getByRole('radio', { name: 'CoinPayments' }).check()
    await depositForm(page).amount.fill('60')
    await page.getByRole('button', { name: 'Pay with CoinPayments' }).click()
    await expect(page.getByText(paymentTexts.coinMissing).first()).toBeVisible()
    assert.equal(testApp.payments.coinpayments.startCalls(), calls)
  })
})

describe('a coin sent without an order', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp({ coinsAfterMs: 3_000 })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('arrives and is credited while the member watches, as in the demo', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const before = await readBalance(page, login)
    const sending = await startWith(page, /^LTCT/, '110')
    await sending.getByRole('button', { name: 'I have sent it' }).click()
    const row = page.getByRole('row').filter({ hasText: 'LTCT with CoinPayments' })
    await expect(row).toHaveCount(0)
    await page.getByRole('link', { name: 'All Transactions' }).click()
    await expect(page.getByRole('row').nth(1)).toContainText('+110.00')
    await expectRisen(page, login, { from: before, by: '110' })
  })
})

async function startWith(page: Page, coin: RegExp, amount: string): Promise<Locator> {
  await page.goto('/funds/deposit')
  await chooseOption(page, depositForm(page).account, new RegExp(`#${login}`))
  await page.getByRole('radio', { name: 'CoinPayments' }).check()
  await chooseOption(page, page.getByRole('combobox', { name: 'Coin' }), coin)
  await depositForm(page).amount.fill(amount)
  await page.getByRole('button', { name: 'Pay with CoinPayments' }).click()
  const dialog = page.getByRole('dialog', { name: /^Send / })
  await expect(dialog).toBeVisible()
  return dialog
}
