import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import * as cases from '@atrium/contract/payments/exceptions.ts'
import * as notices from '@atrium/contract/payments/webhook-events.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { useDecisionKey } from '../../api/use-decision-key.ts'

export type { DeskCase } from '@atrium/contract/payments/exceptions.ts'
export type Notification = CallAnswer<typeof notices.listNotifications>['notifications'][number]

const casesKey = 'desk-payment-cases'
const noticesKey = 'desk-payment-notifications'

export const casesQuery = (state: 'waiting' | 'closed', after?: string) =>
  queryOptions({
    queryKey: [casesKey, state, after],
    queryFn: () => call(cases.listCases, { state, ...(after && { after }) }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

type Filters = CallInput<typeof notices.listNotifications>

export const notificationsQuery = (filters: Filters) =>
  queryOptions({
    queryKey: [noticesKey, filters],
    queryFn: () => call(notices.listNotifications, filters),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

/** Asked for when somebody opens it, since each look is written down. */
export const rawQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-payment-notification', id],
    queryFn: async () => (await call(notices.readNotification, { id })).notification,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

export function useDecide(id: string) {
  const queries = useQueryClient()
  const once = useDecisionKey()
  return useMutation({
    mutationFn: (given: Omit<CallInput<typeof cases.decideCase>, 'id' | 'idempotency_key'>) =>
      once(id, given, (idempotency_key) => call(cases.decideCase, { id, idempotency_key, ...given })),
    // Whatever it answers: somebody else may have been faster.
    onSettled: () => queries.invalidateQueries({ queryKey: [casesKey] }),
  })
}

export function useReplay(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(notices.replayNotification, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [noticesKey] }),
  })
}
