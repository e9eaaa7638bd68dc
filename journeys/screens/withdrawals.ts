import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { chooseOption } from '../kit/depositing.ts'
import { expect } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'
import { openSettled, type Screen } from './screen.ts'

/** Withdrawals, for the member who requests them and for the desk that decides. */
export const withdrawalScreens: Screen[] = [
  {
    name: 'withdraw',
    state: 'gaps',
    viewer: 'member',
    async open(page) {
      await page.goto('/funds/withdraw')
      await chooseOption(page, withdrawalForm(page).account, /#700123/)
      await withdrawalForm(page).create.click()
      await expect(page.getByText(withdrawalTexts.beneficiaryMissing)).toBeVisible()
    },
  },
  {
    name: 'withdraw',
    state: 'filled',
    viewer: 'member',
    async open(page) {
      await fillWithdrawal(page, { login: '700123', amount: '250', comment: 'For the roof' })
      await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText('250.00')
    },
  },
  {
    name: 'withdraw',
    state: 'coins by a provider',
    viewer: 'member',
    async open(page) {
      await page.goto('/funds/withdraw')
      const form = withdrawalForm(page)
      await chooseOption(page, form.account, /#700123/)
      await chooseOption(page, form.destination, /^CoinPayments$/)
      await chooseOption(page, form.beneficiaryAccount, /Exchange account/)
      await chooseOption(page, page.getByRole('combobox', { name: 'Coin' }), /^XRP$/)
      await form.amount.fill('250')
      await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText('245.00')
    },
  },
  {
    name: 'desk withdrawals',
    state: 'withdrawal',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/withdrawals', (on) => on.getByRole('list', { name: 'Withdrawals' }))
      await page.getByRole('list', { name: 'Withdrawals' }).getByRole('link').first().click()
      await expect(page.getByRole('article', { name: /^Withdrawal T-/ })).toBeVisible()
    },
  },
  {
    name: 'desk settings',
    state: 'withdrawals',
    viewer: 'staff',
    open: (page) =>
      openSettled(page, '/desk/settings/withdrawals', (on) => on.getByRole('heading', { name: 'Withdrawals' })),
  },
]
