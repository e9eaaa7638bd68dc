import type { CallAnswer } from '@atrium/contract/call.ts'
import { readDashboard } from '@atrium/contract/dashboard/calls.ts'
import { onlineManager, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

export type DashboardMetrics = CallAnswer<typeof readDashboard>
export type CurrencyTotals = DashboardMetrics['currencies'][number]

/** One query for the whole dashboard; the previous data stays visible while another period loads. Offline, nothing loads. */
export const dashboardQuery = (from: number | undefined) =>
  queryOptions({
    queryKey: ['dashboard', from ?? 'all'],
    queryFn: () => call(readDashboard, from === undefined ? {} : { from }),
    placeholderData: (before) => (onlineManager.isOnline() ? before : undefined),
  })

export const useDashboard = (from: number | undefined) => useQuery(dashboardQuery(from))
