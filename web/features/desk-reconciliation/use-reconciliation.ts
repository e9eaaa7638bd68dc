import type { CallAnswer } from '@atrium/contract/call.ts'
import {
  askReconciliation,
  countMismatches,
  explainMismatch,
  exportReconciliation,
  listReconciliation,
  type ReconciliationDay,
  readReconciliationDay,
  reopenMismatch,
} from '@atrium/contract/reconciliation/desk-calls.ts'
import { daysList } from '@atrium/contract/reconciliation/desk-list.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { saveTable } from '../../api/save-table.ts'
import { call } from '../../api/transport.ts'
import type { ListSearch } from '../../ui/lists/list-address.ts'
import { type ListSource, numberedPage } from '../../ui/lists/list-query.ts'
import { largestOf } from './reconciliation-sums.ts'

export type Days = CallAnswer<typeof listReconciliation> & { largest: Map<string, number> }

const key = 'desk-reconciliation'
/** The refresh interval while a day is being read. */
const movingMs = 1_000

export const days: ListSource<typeof daysList, ReconciliationDay & { _id: string }, Days> = {
  list: daysList,
  key: [key, 'days'],
  async ask(asked) {
    const answer = await call(listReconciliation, asked)
    const rows = answer.days.map((day) => ({ _id: day.day, ...day }))
    return numberedPage(rows, rows.length, { ...answer, largest: largestOf(rows) })
  },
  refreshMs: (rows) => (rows.some(({ state }) => state === 'asked') ? movingMs : false),
  save(asked, onBytes) {
    const of = asked.only ?? 'sums'
    return saveTable(exportReconciliation.path, { ...asked, of }, `reconciliation-${of}.csv`, onBytes)
  },
}

export const dayQuery = (day: string, { currency, method }: ListSearch<typeof daysList>) =>
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
export const useExplain = () =>
  useChange((input: { id: string; note: string; seen: string | undefined }) => call(explainMismatch, input))
export const useReopen = () => useChange((id: string) => call(reopenMismatch, { id }))
