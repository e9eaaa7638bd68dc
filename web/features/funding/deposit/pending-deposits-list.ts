import { limits } from '@atrium/contract/limits.ts'
import { declareList } from '@atrium/contract/list.ts'
import { type CoinPayment, coinPaymentOf } from '@atrium/contract/payments/coin-payment.ts'
import { useQuery } from '@tanstack/react-query'
import type { PendingDepositsQuery, PendingDepositsQueryVariables } from '../../../api/generated/graphql.ts'
import { graph } from '../../../api/transport.ts'
import { type ListSource, numberedPage } from '../../../ui/lists/list-query.ts'
import { useShownRow } from '../../../ui/lists/member/use-shown-row.ts'
import { transactionsKey } from '../transactions-key.ts'
import { pendingDepositsQuery } from './pending.queries.ts'

export type PendingDeposit = Omit<PendingDepositsQuery['pending_deposits'][number], 'data'> & {
  coins: CoinPayment | null
}

/** Coins are detected and confirmed while the member watches. */
const waitingPollMs = 4_000

const pendingList = declareList({
  name: 'pending-deposits',
  isNumbered: true,
  pageSize: limits.pendingDepositsPageSize,
  filters: {},
})

const key = [...transactionsKey, 'pending']

async function readPendingDeposits(variables: PendingDepositsQueryVariables) {
  const { data, extra } = await graph(pendingDepositsQuery, variables)
  const rows = data.pending_deposits.map(({ data: text, ...row }) => ({ ...row, coins: coinPaymentOf(text) }))
  return numberedPage<PendingDeposit>(rows, extra.countOrders)
}

/** The key is nested below the transactions key, so that invalidating transactions refreshes these too. */
export const pendingDeposits: ListSource<typeof pendingList, PendingDeposit, null> = {
  list: pendingList,
  key,
  ask: ({ page = 1 }) => readPendingDeposits({ page, limit: limits.pendingDepositsPageSize }),
  refreshMs: (rows) => (rows.length > 0 ? waitingPollMs : false),
}

/** The pending deposit of the address, on any page; null when it is not pending. Without an id it sends no request. */
export function useOpenedDeposit(id: string | undefined, rows: PendingDeposit[] | undefined) {
  return useShownRow({ id, rows, useOne: usePendingDeposit })
}

function usePendingDeposit(id: string | undefined) {
  return useQuery({
    queryKey: [...key, 'one', id],
    queryFn: async () => (await readPendingDeposits({ _id: id })).rows[0] ?? null,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data ? waitingPollMs : false),
  })
}
