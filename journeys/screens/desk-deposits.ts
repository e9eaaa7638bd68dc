import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openSettled, type Screen } from './screen.ts'

/** On a wide screen the desk opens the first deposit automatically. */
async function openDesk(page: Page, path = '/desk/deposits'): Promise<void> {
  await openSettled(page, path, (on) => on.getByRole('list', { name: 'Deposits' }))
}

async function openDeposit(page: Page, name: RegExp, path?: string): Promise<void> {
  await openDesk(page, path)
  await page.getByRole('list', { name: 'Deposits' }).getByRole('link', { name }).click()
  await expect(page.getByRole('article', { name })).toBeVisible()
  await expect(
    page.getByRole('button', { name: /^Download / }).or(page.getByRole('link', { name: /^Download / })),
  ).toBeVisible()
}

export const deskDepositScreens: Screen[] = [
  {
    name: 'desk deposits',
    state: 'deposit',
    viewer: 'staff',
    async open(page) {
      await openDeposit(page, /T-1014\b/)
      await expect(page.getByText('Page 1 of 1')).toBeVisible()
    },
  },
  {
    name: 'desk deposits',
    state: 'rejected',
    viewer: 'staff',
    open: (page) => openDeposit(page, /T-1010\b/, '/desk/deposits?state=rejected'),
  },
  {
    name: 'desk deposits',
    state: 'empty',
    viewer: 'staff',
    open: (page) =>
      openSettled(page, '/desk/deposits?state=checking', (on) => on.getByText('Nothing is being verified')),
  },
  {
    name: 'desk deposits',
    state: 'approving',
    viewer: 'staff',
    async open(page) {
      await openDeposit(page, /T-1014\b/)
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Not now' })).toBeFocused()
    },
  },
  {
    name: 'desk deposits',
    state: 'rejecting',
    viewer: 'staff',
    async open(page) {
      await openDeposit(page, /T-1014\b/)
      await page.getByRole('button', { name: 'Reject', exact: true }).click()
      await page.getByRole('radio', { name: 'Payment in another name' }).check()
      await expect(page.getByText('The member will read')).toBeVisible()
    },
  },
  {
    name: 'desk deposits',
    state: 'keys',
    viewer: 'staff',
    async open(page) {
      await openDesk(page)
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]
