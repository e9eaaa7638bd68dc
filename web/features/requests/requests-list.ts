import { requestStates } from '@atrium/contract/requests/states.ts'
import type { RequestsQueryVariables } from '../../api/generated/graphql.ts'
import { idShape, oneOf, readShaped, type Shapes, wordsShape } from '../../ui/lists/shaped-search.ts'
import { startOfDay, startOfDayAfter } from '../../ui/text/format.ts'

/** The query parameters of requests: the view, and the filters of the history. */
type Said = { tab?: string; id?: string; q?: string; status?: string; day?: string; page?: string }
export type RequestsSearch = {
  tab: 'requests' | 'history'
  id: string | undefined
  q: string
  status: string
  /** `yyyy-mm-dd`. */
  day: string
  page: number
}

const shapes: Shapes<Required<Said>> = {
  tab: oneOf(['history']),
  id: idShape,
  q: wordsShape,
  status: oneOf(requestStates),
  day: /^\d{4}-\d{2}-\d{2}$/,
  page: /^[1-9]\d{0,3}$/,
}

/** Reads hand-typed addresses too: invalid values are omitted. */
export function readRequestsSearch(search: Record<string, unknown>): RequestsSearch {
  const { tab, id, q = '', status = '', day = '', page = '1' }: Said = readShaped(shapes, search)
  return { tab: tab === 'history' ? 'history' : 'requests', id, q, status, day, page: Number(page) }
}

/** Omits default values; the default view is the list of request types. */
export function writeRequestsSearch({
  tab,
  id,
  q,
  status,
  day,
  page,
}: RequestsSearch): Record<string, string | number> {
  return {
    ...(tab === 'history' && { tab }),
    ...(id && { id }),
    ...(q !== '' && { q }),
    ...(status !== '' && { status }),
    ...(day !== '' && { day }),
    ...(page > 1 && { page }),
  }
}

export const countFilters = ({ q, status, day }: RequestsSearch): number =>
  [q, status, day].filter((value) => value !== '').length

type Narrowed = Pick<RequestsQueryVariables, 'q' | 'status' | 'created_at' | 'created_at_to'>

/** A day is in the reader's time zone, from its first moment to its last: the server would assume 24 hours. */
export function toAsked({ q, status, day }: RequestsSearch): Narrowed {
  return {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(status !== '' && { status }),
    ...(day !== '' && { created_at: startOfDay(day), created_at_to: startOfDayAfter(day) - 1 }),
  }
}
