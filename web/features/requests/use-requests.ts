import type { Answered } from '@atrium/contract/forms/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import type { RequestQuery, RequestTypesQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { type ListSource, numberedPage } from '../../ui/lists/list-query.ts'
import { requestQuery, requestsQuery, requestTypeQuery, requestTypesQuery } from './requests.queries.ts'
import { requestsList, toAsked } from './requests-list.ts'
import { type RequestRow, requestsKey } from './use-rejected.ts'

export type OfferedType = RequestTypesQuery['requests_types'][number]
export type OneRequest = RequestQuery['requests'][number]

/** Staff decisions arrive by the live stream; polling covers a broken connection. */
const pollMs = 30_000

export function useRequestTypes() {
  return useQuery({
    queryKey: [...requestsKey, 'types'],
    queryFn: async () => (await graph(requestTypesQuery, {})).data.requests_types,
  })
}

/** One type with the member's last request of it; null when no type with this id is offered. */
export function useRequestType(id: string, customer: string) {
  return useQuery({
    queryKey: [...requestsKey, 'type', id],
    queryFn: async () => (await graph(requestTypeQuery, { _id: id, customer })).data.request_type ?? null,
    refetchInterval: pollMs,
  })
}

export const requestsOf = (customer: string): ListSource<typeof requestsList, RequestRow, null> => ({
  list: requestsList,
  key: [...requestsKey, 'history'],
  async ask({ page = 1, ...asked }) {
    const variables = { customer, ...toAsked(asked), limit: limits.requestsPageSize, page }
    const { data, extra } = await graph(requestsQuery, variables)
    return numberedPage(data.requests, extra.countRequests)
  },
  refreshMs: () => pollMs,
})

/** The unfiltered count, shown at the tab. */
export function useRequestCount(customer: string): number | undefined {
  const { data } = useQuery({
    queryKey: [...requestsKey, 'count'],
    queryFn: async () => (await graph(requestsQuery, { customer, limit: 1, page: 1 })).extra.countRequests,
  })
  return data
}

export function useRequest(id: string | undefined) {
  return useQuery({
    queryKey: [...requestsKey, 'one', id],
    queryFn: async () => (await graph(requestQuery, { _id: id ?? '' })).data.requests[0] ?? null,
    enabled: id !== undefined,
    refetchInterval: pollMs,
  })
}

/** The answers with the form as it was filled in; null for a request without a form. */
export const answersOf = ({ form_data }: Pick<OneRequest, 'form_data'>): Answered | null =>
  form_data ? (JSON.parse(form_data) as Answered) : null
