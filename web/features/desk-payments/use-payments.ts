import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import { exceptionsList, webhookEventsList } from '@atrium/contract/payments/desk-list.ts'
import * as exceptions from '@atrium/contract/payments/exceptions.ts'
import * as calls from '@atrium/contract/payments/webhook-events.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type { DeskException } from '@atrium/contract/payments/exceptions.ts'
/** A payout that came back, rather than the platform's refusal to credit it. */
export const isReturn = ({ payout, why }: Pick<exceptions.DeskException, 'payout' | 'why'>): boolean =>
  payout !== null && why !== 'credit_refused'

export type WebhookEvent = WebhookEventsAnswer['notifications'][number]

export type WebhookEventsAnswer = CallAnswer<typeof calls.webhookEventCalls.list>

export const waitingExceptions = listSource(exceptionsList, exceptions.exceptionCalls, { fixed: { state: 'waiting' } })
export const closedExceptions = listSource(exceptionsList, exceptions.exceptionCalls, { fixed: { state: 'closed' } })

/** The exception as the list of those to be decided shows it now. */
export const shownException = (queries: QueryClient, id: string): exceptions.DeskException | undefined =>
  queries
    .getQueriesData<{ rows: exceptions.DeskException[] }>({ queryKey: [waitingExceptions.key], type: 'active' })
    .flatMap(([, page]) => page?.rows ?? [])
    .find(({ _id }) => _id === id)

export const webhookEvents = listSource(webhookEventsList, calls.webhookEventCalls)

/** Requested only when opened, because each access is recorded in the audit log. */
export const rawQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-payment-notification', id],
    queryFn: async () => (await call(calls.readWebhookEvent, { id })).notification,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

export function useDecide(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (given: Omit<CallInput<typeof exceptions.decideException>, 'id'> & { idempotency_key: string }) =>
      call(exceptions.decideException, { id, ...given }),
    // After every outcome, because a colleague may have decided first.
    onSettled: () =>
      Promise.all(
        [waitingExceptions, closedExceptions].map(({ key }) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  })
}

export function useReplay(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(calls.replayWebhookEvent, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [webhookEvents.key] }),
  })
}
