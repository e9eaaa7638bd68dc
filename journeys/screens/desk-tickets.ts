import { openSettled, type Screen } from './screen.ts'

/** The board of tickets; on a wide screen the desk opens the first one automatically. */
export const deskTicketScreens: Screen[] = [
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
]
