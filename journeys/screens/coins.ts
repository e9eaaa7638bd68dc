import type { Page } from 'playwright'
import { chooseOption, depositForm } from '../kit/depositing.ts'
import { expect } from '../kit/visit.ts'
import type { Screen } from './screen.ts'

const id = '0190a0b0-0000-7000-8000-000000000007'
const minuteMs = 60_000

/** Pending coin deposits as a provider would return them. */
const dataOf = (more: object = {}): string =>
  JSON.stringify({
    crypto_currency: 'XRP',
    checkout_url: 'https://www.coinpayments.net/index.php?cmd=checkout',
    address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
    dest_tag: '100000042',
    amount: '416.66666667',
    network: 'XRP Ledger',
    expires_at: Date.now() + 58 * minuteMs,
    seen_at: null,
    ...more,
  })

function deposits() {
  const account = {
    __typename: 'TradingAccount',
    _id: id,
    platform_login: '700123',
    currency: 'USD',
    live_account: true,
  }
  const one = (number: string, subtotal: string, description: string, data: string) => ({
    __typename: 'PendingDeposit',
    _id: `0190a0b0-0000-7000-8000-00000000${number}`,
    number,
    description,
    subtotal,
    created_at: Date.now() - 3 * minuteMs,
    trading_account: account,
    data,
  })
  const tether = { crypto_currency: 'USDT.TRC20', dest_tag: null, amount: '1200.00000000', network: 'Tron (TRC-20)' }
  const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  return [
    one('1042', '250.00', 'XRP with CoinPayments', dataOf()),
    one('1041', '1200.00', 'USDT.TRC20 with CoinPayments', dataOf({ ...tether, address, seen_at: Date.now() })),
  ]
}

async function answerPending(page: Page, rows: object[]): Promise<void> {
  await page.route(
    (url) => url.pathname === '/graph' && askedIn(url).includes('pending_deposits'),
    (route) => route.fulfill({ json: { data: { pending_deposits: rows }, extra: { countOrders: rows.length } } }),
  )
  await page.goto('/funds/transactions?view=pending')
}

const askedIn = (url: URL): string => Buffer.from(url.searchParams.get('q') ?? '', 'base64url').toString()

async function chooseCoins(page: Page): Promise<void> {
  await page.goto('/funds/deposit')
  await chooseOption(page, depositForm(page).account, /#700123/)
  await page.getByRole('radio', { name: 'CoinPayments' }).check()
}

export const coinScreens: Screen[] = [
  {
    name: 'deposit',
    state: 'in coins',
    viewer: 'member',
    async open(page) {
      await chooseCoins(page)
      await chooseOption(page, page.getByRole('combobox', { name: 'Coin' }), /^USDT\.TRC20/)
      await depositForm(page).amount.fill('250')
    },
  },
  {
    name: 'deposit',
    state: 'where to send coins',
    viewer: 'member',
    async open(page) {
      const json = { status: 'ok', order: id, pending_deposit: { _id: id, data: dataOf() } }
      await page.route('**/customers/trading-accounts/start-deposit', (route) => route.fulfill({ json }))
      await chooseCoins(page)
      await chooseOption(page, page.getByRole('combobox', { name: 'Coin' }), /^XRP/)
      await depositForm(page).amount.fill('250')
      await page.getByRole('button', { name: 'Pay with CoinPayments' }).click()
      await expect(page.getByRole('img', { name: 'QR code of the address' })).toBeVisible()
    },
  },
  {
    name: 'pending deposits',
    state: 'full',
    viewer: 'member',
    async open(page) {
      await answerPending(page, deposits())
      await expect(page.getByText('Waiting for coins')).toBeVisible()
    },
  },
  {
    name: 'pending deposits',
    state: 'details',
    viewer: 'member',
    async open(page) {
      await answerPending(page, deposits())
      await page.getByRole('button', { name: /, deposit 1042$/ }).click()
      await expect(page.getByRole('img', { name: 'QR code of the address' })).toBeVisible()
    },
  },
  {
    name: 'pending deposits',
    state: 'empty',
    viewer: 'member',
    async open(page) {
      await answerPending(page, [])
      await expect(page.getByText('There are no search results.')).toBeVisible()
    },
  },
]
