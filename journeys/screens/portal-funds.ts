import { texts } from '@atrium/contract/texts.ts'
import { makeReceipt } from '../../demo/receipt.ts'
import { chooseOption, type DepositWanted, depositForm, fillDeposit } from '../depositing.ts'
import { expect } from '../visit.ts'
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

/** Accounts and money of a member, beyond the lists. */
export const fundsScreens: Screen[] = [
  {
    name: 'accounts',
    state: 'other view',
    onlooker: 'member',
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
    onlooker: 'member',
    async open(page) {
      await page.goto('/funds/deposit')
      await chooseOption(page, depositForm(page).account, /#700123/)
      await depositForm(page).create.click()
      await expect(page.getByText(texts.receiptMissing)).toBeVisible()
    },
  },
  {
    name: 'deposit',
    state: 'filled',
    onlooker: 'member',
    open: (page) => fillDeposit(page, anyDeposit),
  },
  {
    name: 'deposit',
    state: 'created',
    onlooker: 'member',
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
    onlooker: 'member',
    async open(page) {
      await page.goto('/funds/deposit-demo')
      await chooseOption(page, depositForm(page).account, /#700901/)
      await depositForm(page).create.click()
      await expect(page.getByText(texts.amountMissing)).toBeVisible()
    },
  },
  ...['1014', '1011', '1010'].map(
    (ticket, index): Screen => ({
      name: 'transactions',
      state: ['pending', 'withdrawal', 'rejected'][index] ?? ticket,
      onlooker: 'member',
      async open(page) {
        await openSettled(page, '/funds/transactions', aTransaction)
        await page.getByRole('button', { name: openName(ticket) }).click()
        await expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible()
      },
    }),
  ),
]
