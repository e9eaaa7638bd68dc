import { queryOptions, useQuery } from '@tanstack/react-query'
import { readRecentEquity } from '../../../api/first-calls.ts'
import { call, serverNow } from '../../../api/transport.ts'
import { dayIn, startOfDay } from '../../../ui/text/format.ts'

const freshMs = 60_000

/** The equity of every account over the last week and at the start of the reader's day. */
export function recentEquityQuery() {
  const dayFrom = startOfDay(dayIn(serverNow()))
  return queryOptions({
    // A separate query key, because live metrics patch the accounts.
    queryKey: ['recent-equity', dayFrom],
    queryFn: () => call(readRecentEquity, { day_from: dayFrom }, { isQuiet: true }),
    staleTime: freshMs,
  })
}

export const useRecentEquity = () => useQuery(recentEquityQuery())
