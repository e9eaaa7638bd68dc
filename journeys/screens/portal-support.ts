import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** The member's tickets, and one of them. */
export const supportScreens: Screen[] = [
  {
    name: 'support',
    state: 'full',
    viewer: 'member',
    open: (page) => openSettled(page, '/support', (on) => on.getByText('A deposit is missing in my history')),
  },
  {
    name: 'support',
    state: 'in progress',
    viewer: 'member',
    open: (page) =>
      openSettled(page, '/support?tab=taken', (on) => on.getByText('The platform closes when I open a chart')),
  },
  {
    name: 'support',
    state: 'empty',
    viewer: 'new',
    open: (page) => openSettled(page, '/support', (on) => on.getByText('You have no tickets created yet.')),
  },
  { name: 'support', state: 'loading', viewer: 'member', open: (page) => openLoading(page, '/support') },
  { name: 'support', state: 'error', viewer: 'member', open: (page) => openFailed(page, '/support') },
  {
    name: 'support',
    state: 'ticket',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/support', (on) => on.getByText('A deposit is missing in my history'))
      await page
        .getByRole('link', { name: /^Open ticket/ })
        .first()
        .click()
      await expect(page.getByRole('heading', { level: 1, name: /^Ticket \d+$/ })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Response Thread' })).toBeVisible()
    },
  },
]
