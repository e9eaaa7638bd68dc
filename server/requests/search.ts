import { limits } from '@atrium/contract/limits.ts'
import type { RequestState } from '@atrium/contract/requests/states.ts'
import type { SearchSource } from '../search/source.ts'
import { filterOf, listRequests } from './queries.ts'

const statusLabels: Record<RequestState, string> = {
  'not-assigned': 'Not assigned',
  open: 'Open',
  'in-progress': 'In progress',
  done: 'Done',
  canceled: 'Canceled',
  rejected: 'Rejected',
}

/** By number, or by a part of a request's text. */
export const requestSource: SearchSource = {
  group: 'requests',
  scope: 'requests',
  async find(tx, member, query) {
    const filter = filterOf({ q: query }, member.memberId)
    if (!filter) return []
    const found = await listRequests(tx, member, filter, { limit: limits.searchHitsMax, offset: 0 })
    return found.map(({ request_id, number, subject, status }) => ({
      _id: request_id,
      title: `#${number} ${subject}`,
      facts: [statusLabels[status as RequestState]],
    }))
  },
}
