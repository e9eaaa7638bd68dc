import type { CallAnswer } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { depositStatus } from '@atrium/contract/payments/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'

export type DepositStatus = CallAnswer<typeof depositStatus>

/** Final when all three are present, as the specification says. */
export const isFinal = ({ status, order_status, payment_status }: DepositStatus): boolean =>
  Boolean(status && order_status && payment_status)

export const isCompleted = ({ order_status, payment_status }: DepositStatus): boolean =>
  order_status === 'paid' && payment_status === 'approved'

/** The payment is in our hands: its page says not to pay again. */
const settledByUs: ReadonlySet<string> = new Set<DepositStatus['state']>(['checking', 'for_staff', 'paid'])

/**
 * Whether to offer another payment: after a declined one, or after a return without payment. The address of the return may say
 * anything, so it is never believed against what the server knows.
 */
export function mayPayAgain(status: DepositStatus, { hasReturned }: { hasReturned: boolean }): boolean {
  if (status.is_pending === true || isCompleted(status)) return false
  return isFinal(status) || (hasReturned && !settledByUs.has(status.state))
}

/** Polls until the answer is final, and retries after a failure. */
export function useDepositStatus(order: string | null) {
  return useQuery({
    queryKey: ['deposit-status', order],
    queryFn: () => call(depositStatus, { order: order ?? '' }, { isQuiet: true }),
    enabled: order !== null,
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data && isFinal(state.data) ? false : limits.depositStatusPollMs),
  })
}
