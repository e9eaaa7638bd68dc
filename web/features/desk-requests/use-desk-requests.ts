import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import * as desk from '@atrium/contract/requests/desk-calls.ts'
import { requestsList } from '@atrium/contract/requests/desk-list.ts'
import type { RequestState } from '@atrium/contract/requests/states.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

const refreshMs = 5_000

export type RequestsAnswer = CallAnswer<typeof desk.listDeskRequests>

/** The board, refreshed while visible. */
export const requests = listSource(
  requestsList,
  { list: desk.listDeskRequests, table: desk.exportDeskRequests },
  {
    refreshMs: () => refreshMs,
    // Keeps the count in the menu equal to the board, whose counts are those of its filters.
    onAnswer: ({ counts }, client, { q, mine, type, member }) => {
      if (!q && !mine && !type && !member) client.setQueryData(waitingRequestsQuery.queryKey, counts[firstStatus])
    },
  },
)
const listKey = requests.key
const firstStatus = requestsList.filters.status.usual

const countedAgainMs = 60_000

/** The number of unassigned requests, for the menu. */
export const waitingRequestsQuery = queryOptions({
  queryKey: [listKey, 'waiting'],
  queryFn: async () => (await call(desk.listDeskRequests, { limit: 1 }, { isQuiet: true })).counts[firstStatus],
  staleTime: countedAgainMs,
  refetchInterval: countedAgainMs,
})

export const deskRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-request', id],
    queryFn: async () => (await call(desk.readDeskRequest, { id })).request,
    refetchInterval: refreshMs,
  })

export type Act =
  | { do: 'assign'; from: string | null; to: string | null }
  | { do: 'move'; from: RequestState; to: RequestState; comment: string; seen: string | undefined }
  | { do: 'comment'; comment: string }

function send(id: string, act: Act): Promise<{ request: desk.DeskRequest }> {
  if (act.do === 'assign') return call(desk.assignRequest, { id, from: act.from, to: act.to })
  if (act.do === 'comment') return call(desk.commentOnRequest, { id, comment: act.comment })
  const { from, to, comment, seen } = act
  return call(desk.moveRequest, { id, from, to, seen, ...(comment.trim() !== '' && { comment }) })
}

/** Sends an action once. Refetches board and request after every outcome. */
export function useAct(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (act: Act) => (await send(id, act)).request,
    onSuccess: (request) => queries.setQueryData(deskRequestQuery(id).queryKey, request),
    onError: () => queries.invalidateQueries({ queryKey: deskRequestQuery(id).queryKey }),
    onSettled: () => queries.invalidateQueries({ queryKey: [listKey] }),
  })
}

const typesKey = ['desk-request-types']

export const requestTypesQuery = queryOptions({
  queryKey: typesKey,
  queryFn: async () => (await call(desk.listRequestTypes, {})).types,
  staleTime: 5_000,
})

export type TypeChange =
  | ({ do: 'add' } & CallInput<typeof desk.addRequestType>)
  | ({ do: 'change' } & CallInput<typeof desk.changeRequestType>)
  | ({ do: 'archive' } & CallInput<typeof desk.archiveRequestType>)
  | ({ do: 'order' } & CallInput<typeof desk.orderRequestTypes>)

export function useTypeChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ do: what, ...input }: TypeChange) => {
      if (what === 'add') return (await call(desk.addRequestType, input as CallInput<typeof desk.addRequestType>)).types
      if (what === 'change')
        return (await call(desk.changeRequestType, input as CallInput<typeof desk.changeRequestType>)).types
      if (what === 'order')
        return (await call(desk.orderRequestTypes, input as CallInput<typeof desk.orderRequestTypes>)).types
      return (await call(desk.archiveRequestType, input as CallInput<typeof desk.archiveRequestType>)).types
    },
    onSuccess: (types) => {
      queries.setQueryData(typesKey, types)
      return queries.invalidateQueries({ queryKey: ['desk-forms'] })
    },
    // A colleague may have changed them.
    onError: () => queries.invalidateQueries({ queryKey: typesKey }),
  })
}
