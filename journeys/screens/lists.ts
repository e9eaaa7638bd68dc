import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page } from 'playwright'
import { depositForm } from '../kit/depositing.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

type Listed = { name: string; path: string; full: (page: Page) => Locator; empty: (page: Page) => Locator }

export const anAccount = (page: Page): Locator => page.getByText('Valletta', { exact: true }).first()
/** Only a card on a phone names the kind; a table row does not. */
export const openName = (ticket = '\\d+'): RegExp =>
  new RegExp(`^Open (transaction|deposit|withdrawal) ${ticket}$`, 'i')
export const aTransaction = (page: Page): Locator => page.getByRole('button', { name: openName() }).first()

const lists: Listed[] = [
  {
    name: 'home',
    path: '/home/',
    full: (page) => page.getByText('Equity in USD'),
    empty: (page) => page.getByText('Make your first deposit'),
  },
  { name: 'accounts', path: '/accounts', full: anAccount, empty: (page) => page.getByText(texts.noAccounts) },
  {
    name: 'deposit',
    path: '/funds/deposit',
    full: (page) => depositForm(page).create,
    empty: (page) => page.getByText(texts.noAccounts),
  },
  {
    name: 'demo deposit',
    path: '/funds/deposit-demo',
    full: (page) => depositForm(page).create,
    empty: (page) => page.getByText(texts.noAccounts),
  },
  {
    name: 'transactions',
    path: '/funds/transactions',
    full: aTransaction,
    empty: (page) => page.getByText(texts.noResults),
  },
  {
    name: 'bank accounts',
    path: '/funds/bank-accounts',
    full: (page) => page.getByText('Northwater Bank'),
    empty: (page) => page.getByText(beneficiaryTexts.noAccounts),
  },
  {
    name: 'other accounts',
    path: '/funds/other-accounts',
    full: (page) => page.getByText('Savings wallet'),
    empty: (page) => page.getByText(beneficiaryTexts.noAccounts),
  },
  {
    name: 'downloads',
    path: '/platforms',
    full: (page) => page.getByText('MetaTrader 5 for Windows'),
    empty: (page) => page.getByText(texts.noAccounts),
  },
  {
    name: 'profile',
    path: '/profile',
    full: (page) => page.getByText('This device'),
    empty: (page) => page.getByText('There are no bank accounts.'),
  },
]

export const listScreens: Screen[] = lists.flatMap(({ name, path, full, empty }): Screen[] => [
  { name, state: 'full', viewer: 'member', open: (page) => openSettled(page, path, full) },
  // The new member has no account to deposit into and must accept terms first; the sales person has no account either.
  {
    name,
    state: 'empty',
    viewer: /deposit/.test(name) ? 'sales' : 'new',
    open: (page) => openSettled(page, path, empty),
  },
  { name, state: 'loading', viewer: 'member', open: (page) => openLoading(page, path) },
  { name, state: 'error', viewer: 'member', open: (page) => openFailed(page, path) },
])
