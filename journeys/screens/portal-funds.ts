import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { makeReceipt } from '../../demo/receipt.ts'
import { chooseOption, type DepositWanted, depositForm, fillDeposit } from '../kit/depositing.ts'
import { expect } from '../kit/visit.ts'
import { anAccount, aTransaction, openName } from './lists.ts'
import { openSettled, type Screen } from './screen.ts'

const anyDeposit: DepositWanted = {
  login: '700123',
  amount: '2500',
  comment: 'Transfer of this morning',
  receipt: {
    name: 'transfer-receipt.pdf',
    mimeType: 'application/pdf',
    buffer: makeReceipt(['Transfer confirmation', 'Amount: 2500.00 USD', 'Reference: account 700123']),
  },
}

const order = '0190a0b0-0000-7000-8000-000000000003'
const paid = { amount: '250.00', charge: '255.05', currency: 'USD', provider: 'safecharge', ticket: '1042' }

/** The return from the payment page, with a stubbed order state. */
async function comeBack(page: Page, answer: object, search = ''): Promise<void> {
  const json = {
    status: 'ok',
    state: 'handed_over',
    account: order,
    expires_at: Date.now() + 55 * 60_000,
    ...paid,
    ...answer,
  }
  await page.route('**/customers/trading-accounts/deposit-status', (route) => route.fulfill({ json }))
  await page.goto(`/deposit-processing/${order}${search}`)
}

const processing = (state: string, answer: object, title: string, search = ''): Screen => ({
  name: 'deposit-processing',
  state,
  viewer: 'member',
  async open(page) {
    await comeBack(page, answer, search)
    await expect(page.getByText(title).first()).toBeVisible()
  },
})

const payPage = 'http://127.0.0.1:9/pay.php'

/** A provider's payment page under the portal's bar. */
const framed = (state: string, body: string, minutesLeft: number, text: string): Screen => ({
  name: 'rpnpay-payment',
  state,
  viewer: 'member',
  async open(page) {
    const status = { status: 'ok', state: 'handed_over', account: order, ...paid, provider: 'rpnpay', currency: 'CNY' }
    const json = { ...status, expires_at: Date.now() + minutesLeft * 60_000 }
    await page.route('**/customers/trading-accounts/deposit-status', (route) => route.fulfill({ json }))
    await page.route(payPage, (route) => route.fulfill({ contentType: 'text/html', body }))
    const form = JSON.stringify({ order, action: payPage, fields: [{ name: 'mid', value: 'RPN10001' }] })
    await page.evaluate((stored) => sessionStorage.setItem('atrium.framed-payment', stored), form)
    // The provider's page is on a host that this brokerage has not listed.
    await page.route('**/rpnpay-payment', async (route) => {
      const answer = await route.fetch()
      const headers = answer.headers()
      const policy = headers['content-security-policy']?.replaceAll(
        "form-action 'self'",
        "form-action 'self' http://127.0.0.1:9",
      )
      await route.fulfill({
        response: answer,
        headers: {
          ...headers,
          'content-security-policy': `${policy?.replace(/frame-src [^;]*/, "frame-src 'self' http://127.0.0.1:9")}`,
        },
      })
    })
    await page.goto('/rpnpay-payment')
    await expect(page.getByText(text).first()).toBeVisible()
  },
})

const declined = { state: 'declined', order_status: 'declined', payment_status: 'declined' }

/** Paying through a provider: redirect and return. */
const paymentScreens: Screen[] = [
  {
    name: 'deposit',
    state: 'through a provider',
    viewer: 'member',
    async open(page) {
      await page.goto('/funds/deposit')
      await chooseOption(page, depositForm(page).account, /#700123/)
      await page.getByRole('radio', { name: 'SafeCharge' }).check()
      await depositForm(page).amount.fill('250')
      await expect(page.getByRole('button', { name: 'Pay with SafeCharge' })).toBeVisible()
    },
  },
  framed('shown', '<h1>RPN Pay</h1><p>100.00 CNY</p>', 55, 'I have paid'),
  framed('time over', '<h1>RPN Pay</h1>', 0, 'The time for this payment has expired.'),
  processing('waiting', {}, 'Waiting for your payment'),
  processing('on-its-way', { is_pending: true }, 'Your payment is on its way'),
  processing('completed', { state: 'paid', order_status: 'paid', payment_status: 'approved' }, paymentTexts.completed),
  processing('declined', { ...declined, payment_error: 'Insufficient funds' }, paymentTexts.declined),
  processing('in review', { state: 'for_staff' }, 'Your payment is in review'),
  processing('verifying', { state: 'checking' }, 'We are verifying your payment'),
  processing('failed', declined, paymentTexts.problemTitle, '?ppp_status=FAIL&message=Card+expired'),
]

/** A member's accounts and money, besides the lists. */
export const fundsScreens: Screen[] = [
  ...paymentScreens,
  {
    name: 'accounts',
    state: 'other view',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/accounts', anAccount)
      const isList = await page.getByRole('radio', { name: 'List view' }).isChecked()
      await page.getByText(isList ? 'Card view' : 'List view').click({ force: true })
      await expect(page.getByRole('radio', { name: isList ? 'Card view' : 'List view' })).toBeChecked()
      await page.evaluate("localStorage.removeItem('atrium.accounts-view')")
    },
  },
  {
    name: 'deposit',
    state: 'gaps',
    viewer: 'member',
    async open(page) {
      await page.goto('/funds/deposit')
      await chooseOption(page, depositForm(page).account, /#700123/)
      await depositForm(page).transfer.check()
      await depositForm(page).create.click()
      await expect(page.getByText(texts.receiptMissing)).toBeVisible()
    },
  },
  {
    name: 'deposit',
    state: 'filled',
    viewer: 'member',
    open: (page) => fillDeposit(page, anyDeposit),
  },
  {
    name: 'deposit',
    state: 'created',
    viewer: 'member',
    async open(page) {
      const transaction = { _id: '0190a0b0-0000-7000-8000-000000000001', ticket: '1015', status: 'pending' }
      await fillDeposit(page, anyDeposit)
      await page.route('**/members/deposits/create', (route) => route.fulfill({ json: { status: 'ok', transaction } }))
      await depositForm(page).create.click()
      await expect(page.getByRole('button', { name: 'See my transactions' })).toBeFocused()
    },
  },
  {
    name: 'demo deposit',
    state: 'gaps',
    viewer: 'member',
    async open(page) {
      await page.goto('/funds/deposit-demo')
      await chooseOption(page, depositForm(page).account, /#700901/)
      await depositForm(page).create.click()
      await expect(page.getByText(texts.amountMissing)).toBeVisible()
    },
  },
  {
    name: 'transactions',
    state: 'calendar',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/funds/transactions?from=2026-01-05', aTransaction)
      const filters = page.getByRole('button', { name: /^Filters/ })
      if (await filters.isVisible()) await filters.click()
      await page.getByRole('button', { name: 'Open calendar' }).first().click()
      await expect(page.getByRole('button', { name: 'Last 7 days' })).toBeVisible()
    },
  },
  ...['1014', '1011', '1010'].map(
    (ticket, index): Screen => ({
      name: 'transactions',
      state: ['pending', 'withdrawal', 'rejected'][index] ?? ticket,
      viewer: 'member',
      async open(page) {
        await openSettled(page, '/funds/transactions', aTransaction)
        await page.getByRole('button', { name: openName(ticket) }).click()
        await expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible()
      },
    }),
  ),
]
