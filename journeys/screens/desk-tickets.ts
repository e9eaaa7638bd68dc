import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** The board of tickets; on a wide screen the desk opens the first one automatically. */
export const deskTicketScreens: Screen[] = [
  {
    name: 'desk tickets',
    state: 'full',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/tickets', (on) => on.getByRole('list', { name: 'Tickets' })),
  },
  {
    name: 'desk tickets',
    state: 'taken',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/tickets?state=taken', (on) => on.getByRole('list', { name: 'Tickets' })),
  },
  {
    name: 'desk tickets',
    state: 'empty',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/tickets?state=closed', (on) => on.getByText('Nothing here yet')),
  },
  { name: 'desk tickets', state: 'loading', viewer: 'staff', open: (page) => openLoading(page, '/desk/tickets') },
  { name: 'desk tickets', state: 'error', viewer: 'staff', open: (page) => openFailed(page, '/desk/tickets') },
]
