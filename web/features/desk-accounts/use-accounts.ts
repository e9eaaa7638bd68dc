import * as calls from '@atrium/contract/account-sync/desk-calls.ts'
import { accountsList, differencesList } from '@atrium/contract/account-sync/desk-list.ts'
import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type AccountsAnswer = CallAnswer<typeof calls.deskAccountCalls.list>
export type DifferencesAnswer = CallAnswer<typeof calls.differenceCalls.list>
export type Difference = DifferencesAnswer['differences'][number]
export type DeskAccount = CallAnswer<typeof calls.readDeskAccount>['account']
export type DecisionOrder = CallInput<typeof calls.decideAccountDifference>

export const accounts = listSource(accountsList, calls.deskAccountCalls)

export const differences = listSource(differencesList, calls.differenceCalls)

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-accounts', id],
    queryFn: async () => (await call(calls.readDeskAccount, { id })).account,
  })

/** Refetches the account after every outcome, because the platform may have applied a change without answering. */
export function useAccessChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (wanted: CallInput<typeof calls.setAccountAccess>) => call(calls.setAccountAccess, wanted),
    onSettled: () => readAgain(queries),
  })
}

/** Refetches after every outcome, because the member may have moved money on it first. */
export function useOwnerCorrection() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (wanted: CallInput<typeof calls.correctAccountOwner>) => call(calls.correctAccountOwner, wanted),
    onSettled: () => readAgain(queries),
  })
}

/** Refetches lists and account after every outcome, because a colleague or the platform may have acted first. */
export function useDecision() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: DecisionOrder) => call(calls.decideAccountDifference, order),
    onSettled: () => readAgain(queries),
  })
}

const readAgain = (queries: QueryClient) =>
  Promise.all([accounts.key, differences.key].map((key) => queries.invalidateQueries({ queryKey: [key] })))
