import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** Totals by currency. */
export const dashboardScreens: Screen[] = [
  {
    name: 'dashboard',
    state: 'full',
    onlooker: 'member',
    open: (page) =>
      openSettled(page, '/dashboard?period=all', (on) =>
        on.getByRole('application', { name: 'Deposits and withdrawals in USD' }),
      ),
  },
  {
    name: 'dashboard',
    state: 'as tables',
    onlooker: 'member',
    async open(page) {
      const chart = page.getByRole('region', { name: 'USD', exact: true })
      const other = page.getByRole('application', { name: 'Deposits and withdrawals in EUR' })
      await openSettled(page, '/dashboard?period=all', () => other)
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await expect(chart.getByRole('table')).toBeVisible()
    },
  },
  {
    name: 'dashboard',
    state: 'read by keyboard',
    onlooker: 'member',
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
    onlooker: 'new',
    open: (page) => openSettled(page, '/dashboard', (on) => on.getByText('No activity in this period')),
  },
  { name: 'dashboard', state: 'loading', onlooker: 'member', open: (page) => openLoading(page, '/dashboard') },
  { name: 'dashboard', state: 'error', onlooker: 'member', open: (page) => openFailed(page, '/dashboard') },
]
