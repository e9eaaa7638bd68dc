import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** What payment providers said, and what of it a person decides. */
export const deskPaymentScreens: Screen[] = [
  {
    name: 'desk payments',
    state: 'to decide',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/payments', (on) => on.getByRole('listitem', { name: /^Payment for / })),
  },
  {
    name: 'desk payments',
    state: 'notifications',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/payments/notifications', (on) => on.getByText('No notifications yet')),
  },
  { name: 'desk payments', state: 'loading', onlooker: 'staff', open: (page) => openLoading(page, '/desk/payments') },
  { name: 'desk payments', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/payments') },
]
