import { limits } from '@atrium/contract/limits.ts'
import { type CoinPayment, coinPaymentOf } from '@atrium/contract/payments/coin-payment.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PendingDepositsQuery } from '../../../api/generated/graphql.ts'
import { graph } from '../../../api/transport.ts'
import { transactionsKey } from '../use-funding.ts'
import { pendingDepositsQuery } from './pending.queries.ts'

export type PendingDeposit = Omit<PendingDepositsQuery['pending_deposits'][number], 'data'> & {
  coins: CoinPayment | null
}

/** Coins are detected and confirmed while the member watches. */
const waitingPollMs = 4_000

/** The key is nested below the transactions key, so that invalidating transactions refreshes these too. */
export function usePendingDeposits(page: number) {
  return useQuery({
    queryKey: [...transactionsKey, 'pending', page],
    queryFn: async () => {
      const { data, extra } = await graph(pendingDepositsQuery, { page, limit: limits.pendingDepositsPageSize })
      const rows: PendingDeposit[] = data.pending_deposits.map(({ data: text, ...row }) => ({
        ...row,
        coins: coinPaymentOf(text),
      }))
      return { rows, total: extra.countOrders ?? rows.length }
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.rows.length ? waitingPollMs : false),
  })
}
