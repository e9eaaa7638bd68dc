import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { anAccount } from './lists.ts'
import { heading, openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const nobodysId = '0190a0b0-0000-7000-8000-000000000002'

/** From the list, as a member opens it. */
export async function openAccount(page: Page, login: string): Promise<void> {
  await openSettled(page, '/accounts', anAccount)
  await page.getByRole('link', { name: `Open account ${login}`, exact: true }).click()
  await expect(heading(page, `Account #${login} - Transactions`)).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page.getByLabel(`Equity of account ${login} over time`)).toBeVisible()
}

/** Its trades, once loaded. */
async function openTrades(page: Page, login: string): Promise<void> {
  await openAccount(page, login)
  await page.getByRole('link', { name: 'Trading', exact: true }).click()
  await expect(page.getByText(/^Showing 1 to \d+ of \d+ entries$/)).toBeVisible()
  await expect(page.getByText('Older trades are still being read')).toHaveCount(0)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/** One trading account. */
export const accountScreens: Screen[] = [
  { name: 'account-trades', state: 'full', viewer: 'member', open: (page) => openTrades(page, '700123') },
  { name: 'account-trades', state: 'mt4', viewer: 'member', open: (page) => openTrades(page, '400310') },
  {
    name: 'account-trades',
    state: 'one by one',
    viewer: 'member',
    async open(page) {
      await openTrades(page, '700123')
      await page.getByText('Details view').click()
      await expect(page.getByRole('listbox', { name: 'Trade history' })).toBeVisible()
    },
  },
  {
    name: 'account-trades',
    state: 'one trade',
    viewer: 'member',
    async open(page) {
      await openTrades(page, '700123')
      await page
        .getByRole('button', { name: /, trade \d+$/ })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'account-trades',
    state: 'nothing found',
    viewer: 'member',
    async open(page) {
      await openTrades(page, '700123')
      await page.goto(`${page.url()}&symbol=NOTHING`)
      await expect(page.getByRole('button', { name: 'Clear filters' }).first()).toBeVisible()
    },
  },
  { name: 'account', state: 'full', viewer: 'member', open: (page) => openAccount(page, '700123') },
  { name: 'account', state: 'demo', viewer: 'member', open: (page) => openAccount(page, '700901') },
  {
    name: 'account',
    state: 'loading',
    viewer: 'member',
    open: (page) => openLoading(page, `/accounts/${nobodysId}`),
  },
  { name: 'account', state: 'error', viewer: 'member', open: (page) => openFailed(page, `/accounts/${nobodysId}`) },
  {
    name: 'account',
    state: 'unknown',
    viewer: 'member',
    open: (page) => openSettled(page, `/accounts/${nobodysId}`, (on) => heading(on, texts.notFoundPage)),
  },
  {
    name: 'account',
    state: 'changing the password',
    viewer: 'member',
    async open(page) {
      await openAccount(page, '700123')
      await page.getByRole('button', { name: 'Change Password' }).click()
      await page.getByLabel('New password', { exact: true }).fill('lighthouse')
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
      const toast = page.getByText(/^Please check: /)
      await expect(toast).toBeVisible()
      await expect(toast).toHaveCount(0) // A toast covers a phone's form for two seconds; the picture shows the state after it.
    },
  },
]
