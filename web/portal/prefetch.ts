/**
 * Route loaders of the most visited pages: they request a page's data while its code loads and its frame renders. Pages report
 * what fails.
 */

import type { Scope } from '@atrium/contract/access/scopes.ts'
import { limits } from '@atrium/contract/limits.ts'
import { accountsIn } from '../features/accounts/use-accounts.ts'
import { recentEquityQuery } from '../features/accounts/use-recent-equity.ts'
import { transactionsPage } from '../features/funding/use-funding.ts'
import { rejectedQuery } from '../features/requests/use-rejected.ts'
import { isOpen, type Session } from '../features/session/session.ts'
import { newestTickets } from '../features/tickets/use-tickets.ts'
import { queryClient } from '../ui/lists/query-client.ts'

type Arrival = { context: { session: Session } }

/** Home shows the last of them and the urgent ones, which may be older; the deposit form the last payment method. */
export const latestTransactions = { limit: limits.transactionsPageSize, page: 1 }

export function prefetchHome({ context: { session } }: Arrival): void {
  const may = (scope: Scope) => isOpen(session, scope)
  if (may('my_accounts')) prefetchFigures()
  if (may('transactions')) queryClient.prefetchQuery(transactionsPage(latestTransactions))
  if (may('support')) queryClient.prefetchQuery(newestTickets)
  if (may('requests')) queryClient.prefetchQuery(rejectedQuery(session.member._id))
}

export function prefetchAccounts({ context: { session } }: Arrival): void {
  if (isOpen(session, 'my_accounts')) prefetchFigures()
}

function prefetchFigures(): void {
  queryClient.prefetchQuery(accountsIn(false))
  queryClient.prefetchQuery(recentEquityQuery())
}
