import { readAccountMetrics } from '@atrium/contract/accounts/calls.ts'
import type { MetricsRange } from '@atrium/contract/accounts/metrics-ranges.ts'
import { onlineManager, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'

/** The server adds a point every five minutes; the line ends at the account's live equity. */
const freshMs = 60_000

/** The account's equity; the line of another range stays while this one loads, never that of another account. */
export const equityOverTime = (id: string, range: MetricsRange) =>
  queryOptions({
    queryKey: ['account-metrics', id, range],
    queryFn: () => call(readAccountMetrics, { id, range }, { isQuiet: true }),
    // Offline, nothing loads.
    placeholderData: (before, query) => (onlineManager.isOnline() && query?.queryKey[1] === id ? before : undefined),
    staleTime: freshMs,
    refetchInterval: freshMs,
  })
