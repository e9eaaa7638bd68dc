import type { CallAnswer } from '@atrium/contract/call.ts'
import { readDashboard } from '@atrium/contract/dashboard/calls.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

export type DashboardMetrics = CallAnswer<typeof readDashboard>
export type CurrencyTotals = DashboardMetrics['currencies'][number]

/** One query for the whole dashboard; the previous data stays visible while another period loads. */
export function useDashboard(from: number | undefined) {
  return useQuery({
    queryKey: ['dashboard', from ?? 'all'],
    queryFn: () => call(readDashboard, from === undefined ? {} : { from }),
    placeholderData: keepPreviousData,
  })
}
