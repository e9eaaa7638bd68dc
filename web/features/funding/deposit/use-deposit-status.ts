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
