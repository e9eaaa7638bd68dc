import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** Webhooks of payment providers, and the payment exceptions. */
export const deskPaymentScreens: Screen[] = [
  {
    name: 'desk payments',
    state: 'to decide',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/payments', (on) => on.getByRole('article', { name: /^Payment for / })),
  },
  {
    name: 'desk payments',
    state: 'from before a restore',
    viewer: 'staff',
    async open(page) {
      await page.route('**/desk/api/payment-cases*', async (route) => {
        const answer = await route.fetch()
        const { cases, ...others } = await answer.json()
        const restored = cases.map((each: object) => ({ ...each, before_restore: true }))
        await route.fulfill({ response: answer, json: { ...others, cases: restored } })
      })
      await openSettled(page, '/desk/payments', (on) => on.getByText('From before a backup was restored').first())
    },
  },
  {
    name: 'desk payments',
    state: 'notifications',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/payments/notifications', (on) => on.getByText('No webhook events yet')),
  },
  { name: 'desk payments', state: 'loading', viewer: 'staff', open: (page) => openLoading(page, '/desk/payments') },
  { name: 'desk payments', state: 'error', viewer: 'staff', open: (page) => openFailed(page, '/desk/payments') },
]
