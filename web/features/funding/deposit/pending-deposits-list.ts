import { limits } from '@atrium/contract/limits.ts'
import { declareList } from '@atrium/contract/list.ts'
import { type CoinPayment, coinPaymentOf } from '@atrium/contract/payments/coin-payment.ts'
import type { PendingDepositsQuery } from '../../../api/generated/graphql.ts'
import { graph } from '../../../api/transport.ts'
import { type ListSource, numberedPage } from '../../../ui/lists/list-query.ts'
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

/** The key is nested below the transactions key, so that invalidating transactions refreshes these too. */
export const pendingDeposits: ListSource<typeof pendingList, PendingDeposit, null> = {
  list: pendingList,
  key: [...transactionsKey, 'pending'],
  async ask({ page = 1 }) {
    const { data, extra } = await graph(pendingDepositsQuery, { page, limit: limits.pendingDepositsPageSize })
    const rows = data.pending_deposits.map(({ data: text, ...row }) => ({ ...row, coins: coinPaymentOf(text) }))
    return numberedPage<PendingDeposit>(rows, extra.countOrders)
  },
  refreshMs: (rows) => (rows.length > 0 ? waitingPollMs : false),
}
