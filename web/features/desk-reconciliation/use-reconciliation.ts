import type { CallAnswer } from '@atrium/contract/call.ts'
import {
  askReconciliation,
  countMismatches,
  explainMismatch,
  listReconciliation,
  readReconciliationDay,
  reopenMismatch,
} from '@atrium/contract/reconciliation/desk-calls.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import type { ReconciliationSearch } from './reconciliation-search.ts'

export type Days = CallAnswer<typeof listReconciliation>

const key = 'desk-reconciliation'
/** The refresh interval while a day is being read. */
const movingMs = 1_000

export const daysQuery = (search: ReconciliationSearch) =>
  queryOptions({
    queryKey: [key, 'days', search],
    queryFn: () => call(listReconciliation, search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.days.some((day) => day.state === 'asked') ? movingMs : false),
  })

export const dayQuery = (day: string, { currency, method }: ReconciliationSearch) =>
  queryOptions({
    queryKey: [key, 'day', day, currency, method],
    queryFn: () => call(readReconciliationDay, { day, ...(currency && { currency }), ...(method && { method }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.day.state === 'asked' ? movingMs : false),
  })

export const openMismatchesQuery = queryOptions({
  queryKey: [key, 'open'],
  queryFn: async () => (await call(countMismatches, {})).open,
  refetchInterval: 60_000,
})

/** Refetches after every outcome. */
function useChange<Input>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  })
}

export const useAskForDay = () => useChange((day: string) => call(askReconciliation, { day }))
export const useExplain = () => useChange((input: { id: string; note: string }) => call(explainMismatch, input))
export const useReopen = () => useChange((id: string) => call(reopenMismatch, { id }))
