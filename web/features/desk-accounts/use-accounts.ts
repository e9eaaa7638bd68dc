import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import * as calls from '@atrium/contract/desk-accounts.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import type { DifferenceSearch } from './difference-search.ts'

export type Difference = CallAnswer<typeof calls.listAccountDifferences>['differences'][number]
export type DeskAccount = CallAnswer<typeof calls.readDeskAccount>['account']
export type DecisionOrder = CallInput<typeof calls.decideAccountDifference>

export const differencesQuery = (search: DifferenceSearch) =>
  queryOptions({
    queryKey: ['desk-accounts', 'differences', search],
    queryFn: () => call(calls.listAccountDifferences, search),
    placeholderData: keepPreviousData,
  })

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-accounts', id],
    queryFn: async () => (await call(calls.readDeskAccount, { id })).account,
  })

/** Whatever came of it, the account is read again: the platform may have taken what it did not answer. */
export function useAccessChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (wanted: CallInput<typeof calls.setAccountAccess>) => call(calls.setAccountAccess, wanted),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk-accounts'] }),
  })
}

/** Whatever came of it, lists and account are read again: a colleague or the platform may have been faster. */
export function useDecision() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: DecisionOrder) => call(calls.decideAccountDifference, order),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk-accounts'] }),
  })
}
