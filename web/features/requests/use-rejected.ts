import { limits } from '@atrium/contract/limits.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RequestsQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { requestsQuery } from './requests.queries.ts'

export type RequestRow = RequestsQuery['requests'][number]

/** The prefix of all query keys of requests: a notification about a request on the live stream refetches them all. */
export const requestsKey = ['requests'] as const

/** The latest rejected requests. */
export const rejectedQuery = (customer: string) =>
  queryOptions({
    queryKey: [...requestsKey, 'rejected'],
    queryFn: async (): Promise<RequestRow[]> => {
      const asked = { customer, status: 'rejected', limit: limits.requestsPageSize, page: 1 }
      return (await graph(requestsQuery, asked)).data.requests
    },
  })

export const useRejected = (customer: string, { isOff = false } = {}) =>
  useQuery({ ...rejectedQuery(customer), enabled: !isOff })
