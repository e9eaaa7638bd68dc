// spec: MP 4
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type DepositStatus, mayPayAgain } from './use-deposit-status.ts'

const open: DepositStatus = {
  status: 'ok',
  state: 'handed_over',
  amount: '100.00',
  charge: '101.90',
  currency: 'USD',
  provider: 'safecharge',
  ticket: 'T-1042',
  account: '019ac5f4-7a5b-7f21-8d3c-1a2b3c4d5e6f',
  expires_at: 0,
}
const declined = { ...open, state: 'declined', order_status: 'declined', payment_status: 'declined' } as const
const paid = { ...open, state: 'paid', order_status: 'paid', payment_status: 'approved' } as const

it('offers another payment only where none is on its way, in review or being verified', () => {
  const offered = (status: DepositStatus, hasReturned = true) => mayPayAgain(status, { hasReturned })
  assert.deepEqual([offered(open), offered(open, false)], [true, false])
  assert.deepEqual([offered(declined), offered(declined, false), offered(paid)], [true, true, false])
  // The address of the return may say that it failed, whatever became of the payment.
  const others = [{ ...open, is_pending: true } as const, { ...open, state: 'for_staff' } as const]
  assert.deepEqual(
    [...others, { ...open, state: 'checking' } as const].map((status) => offered(status)),
    [false, false, false],
  )
})
