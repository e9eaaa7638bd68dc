import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** Totals by currency. */
export const dashboardScreens: Screen[] = [
  {
    name: 'dashboard',
    state: 'full',
    viewer: 'member',
    open: (page) =>
      openSettled(page, '/dashboard?period=all', (on) =>
        on.getByRole('application', { name: 'Deposits and withdrawals in USD' }),
      ),
  },
  {
    name: 'dashboard',
    state: 'as tables',
    viewer: 'member',
    async open(page) {
      const chart = page.getByRole('region', { name: 'USD', exact: true })
      const other = page.getByRole('region', { name: 'EUR', exact: true })
      await openSettled(page, '/dashboard?period=all', () => other)
      await other.scrollIntoViewIfNeeded() // On a phone the second chart is drawn when it is near.
      await expect(other.getByRole('application')).toBeVisible()
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await expect(chart.getByRole('table')).toBeVisible()
    },
  },
  {
    name: 'dashboard',
    state: 'read by keyboard',
    viewer: 'member',
    async open(page) {
      const drawing = page.getByRole('application', { name: 'Deposits and withdrawals in USD' })
      await openSettled(page, '/dashboard?period=all', () => drawing)
      await drawing.focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('status').filter({ hasText: 'Withdrawals' })).toBeVisible()
    },
  },
  {
    name: 'dashboard',
    state: 'empty',
    viewer: 'new',
    open: (page) => openSettled(page, '/dashboard', (on) => on.getByText('No activity in this period')),
  },
  { name: 'dashboard', state: 'loading', viewer: 'member', open: (page) => openLoading(page, '/dashboard') },
  { name: 'dashboard', state: 'error', viewer: 'member', open: (page) => openFailed(page, '/dashboard') },
]
