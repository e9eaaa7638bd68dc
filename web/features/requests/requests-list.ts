import { limits } from '@atrium/contract/limits.ts'
import { choice, day, declareList, type FiltersOf, search } from '@atrium/contract/list.ts'
import { requestStates } from '@atrium/contract/requests/states.ts'
import type { RequestsQueryVariables } from '../../api/generated/graphql.ts'
import { readListSearch } from '../../ui/lists/list-address.ts'
import { momentsOfDays } from '../../ui/lists/moments-of-days.ts'

/** The member's requests, newest first. */
export const requestsList = declareList({
  name: 'requests',
  isNumbered: true,
  pageSize: limits.requestsPageSize,
  filters: { q: search, status: choice(requestStates), day },
})

/** The query parameters of the history, as its links have them. */
export const historyOf = (search: Record<string, unknown>) => ({
  tab: 'history',
  ...readListSearch(requestsList, search),
})

type Narrowed = Pick<RequestsQueryVariables, 'q' | 'status' | 'created_at' | 'created_at_to'>

/** A day is in the reader's time zone, from its first moment to its last: the server would assume 24 hours. */
export function toAsked({ q = '', status, day }: FiltersOf<typeof requestsList>): Narrowed {
  const { first, last } = momentsOfDays({ from: day, to: day })
  return {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(status && { status }),
    ...(first !== undefined && last !== undefined && { created_at: first, created_at_to: last }),
  }
}
