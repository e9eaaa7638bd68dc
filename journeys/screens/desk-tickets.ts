import { expect } from '../visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** The board of tickets; the desk opens the first one by itself where there is room for both. */
export const deskTicketScreens: Screen[] = [
  {
    name: 'desk tickets',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/tickets', (on) => on.getByRole('list', { name: 'Tickets' })),
  },
  {
    name: 'desk tickets',
    state: 'taken',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/tickets?state=taken', (on) => on.getByRole('list', { name: 'Tickets' })),
  },
  {
    name: 'desk tickets',
    state: 'empty',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/tickets?state=closed', (on) => on.getByText('Nothing stands here')),
  },
  {
    name: 'desk tickets',
    state: 'attaching',
    onlooker: 'staff',
    async open(page) {
      await openSettled(page, '/desk/tickets?state=taken', (on) => on.getByRole('list', { name: 'Tickets' }))
      await page.getByRole('link', { name: /Please confirm my address/ }).click()
      await page.getByRole('button', { name: 'Attach a file' }).click()
      await expect(page.getByRole('dialog', { name: 'Attach a file' })).toBeVisible()
    },
  },
  { name: 'desk tickets', state: 'loading', onlooker: 'staff', open: (page) => openLoading(page, '/desk/tickets') },
  { name: 'desk tickets', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/tickets') },
]
