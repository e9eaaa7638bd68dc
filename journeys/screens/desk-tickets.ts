import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** The board of tickets; on a wide screen the desk opens the first one automatically. */
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
    open: (page) => openSettled(page, '/desk/tickets?state=closed', (on) => on.getByText('Nothing here yet')),
  },
  { name: 'desk tickets', state: 'loading', onlooker: 'staff', open: (page) => openLoading(page, '/desk/tickets') },
  { name: 'desk tickets', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/tickets') },
]
