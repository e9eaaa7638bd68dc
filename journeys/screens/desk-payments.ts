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
    state: 'a payout that came back',
    viewer: 'staff',
    async open(page) {
      await page.route('**/desk/api/payment-cases*', async (route) => {
        const answer = await route.fetch()
        const { cases, ...others } = await answer.json()
        const [first] = cases as { order: { charge: string }; deposit: { _id: string } }[]
        if (!first) return route.fulfill({ response: answer })
        const payout = {
          withdrawal_id: first.deposit._id,
          ticket: '10024',
          beneficiary: 'Sparkasse Leipzig, •••• 3000',
        }
        const paid = { paid: first.order.charge, paid_currency: 'USD', word: 'RETURNED', why: 'payout_returned' }
        const creditable = { credit_agreed: null, credit_paid: first.order.charge, people_needed: 2 }
        const returned = {
          ...{ ...first, ...paid, creditable },
          payout: { ...payout, settled: '0.00', paid_at: Date.now() - 86_400_000 },
        }
        await route.fulfill({ response: answer, json: { ...others, cases: [returned] } })
      })
      await openSettled(page, '/desk/payments', (on) => on.getByText('Sparkasse Leipzig').first())
      await page.getByRole('button', { name: 'Decide' }).first().click()
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
