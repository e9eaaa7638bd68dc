import { accountsIn } from '../features/accounts/use-accounts.ts'
import { waysToPay } from '../features/funding/deposit/use-ways-to-pay.ts'
import { transferBanks } from '../features/funding/transfer-banks.ts'
import { transactionsPage } from '../features/funding/use-funding.ts'
import { queryClient } from '../ui/lists/query-client.ts'
import { type Arrival, latestTransactions, openTo } from './prefetch.ts'

/** Requests what the deposit form shows while its code loads. */
export function prefetchDeposit(arrival: Arrival): void {
  const may = openTo(arrival)
  if (!may('deposit')) return
  queryClient.prefetchQuery(accountsIn(false))
  queryClient.prefetchQuery(transferBanks)
  queryClient.prefetchQuery(waysToPay)
  if (may('transactions')) queryClient.prefetchQuery(transactionsPage(latestTransactions))
}
