/**
 * Route loaders of the most visited pages: they request a page's data while its code loads and its frame renders. Pages report
 * what fails.
 */

import { isBlockedBy, type Scope } from '@atrium/contract/access/scopes.ts'
import { limits } from '@atrium/contract/limits.ts'
import { recentEquityQuery } from '../features/accounts/equity/use-recent-equity.ts'
import { accountsIn } from '../features/accounts/use-accounts.ts'
import { transactionsPage } from '../features/funding/use-funding.ts'
import { rejectedQuery } from '../features/requests/use-rejected.ts'
import { isOpen, type Session } from '../features/session/session.ts'
import { termsQuery } from '../features/terms/terms-check.ts'
import { newestTickets } from '../features/tickets/use-tickets.ts'
import { queryClient } from '../ui/lists/query-client.ts'

export type Arrival = { context: { session: Session }; cause: 'preload' | 'enter' | 'stay' }

/** Home shows the last of them and the urgent ones, which may be older; the deposit form the last payment method. */
export const latestTransactions = { limit: limits.transactionsPageSize, page: 1 }

export function prefetchHome(arrival: Arrival): void {
  const { member } = arrival.context.session
  const may = openTo(arrival)
  if (may('my_accounts')) prefetchAccountMetrics(member)
  if (may('transactions')) prefetchLater(() => transactionsPage(latestTransactions))
  if (may('support')) prefetchLater(() => newestTickets)
  if (may('requests')) prefetchLater(() => rejectedQuery(member._id))
}

export function prefetchAccounts(arrival: Arrival): void {
  if (openTo(arrival)('my_accounts')) prefetchAccountMetrics(arrival.context.session.member)
}

/** What the page will show: nothing for a link under the pointer, or of a part that pending terms block. */
export function openTo({ context: { session }, cause }: Arrival): (scope: Scope) => boolean {
  const { terms = [] } = queryClient.getQueryData(termsQuery.queryKey) ?? {}
  const isBlocked = (scope: Scope) => terms.some((each) => isBlockedBy(scope, each.blocked_portal_sections))
  return (scope) => cause === 'enter' && isOpen(session, scope) && !isBlocked(scope)
}

function prefetchAccountMetrics({ accounts_live_count, accounts_demo_count }: Session['member']): void {
  prefetchLater(() => accountsIn(false))
  if (accounts_live_count + accounts_demo_count > 0) prefetchLater(recentEquityQuery)
}

type Prefetched = Parameters<typeof queryClient.prefetchQuery>[0]

/** Each in a task of its own, since the frame renders after this one. */
const prefetchLater = (query: () => unknown): void =>
  void setTimeout(() => queryClient.prefetchQuery(query() as Prefetched))
