import { type RequestState, requestStates } from '@atrium/contract/request-states.ts'
import { idShape, markShape, wordsCharsMax } from '../../ui/shaped-search.ts'

/** What the address says about the board; it carries only what differs from everything that nobody has yet. */
export type RequestSearch = { status?: RequestState; q?: string; mine?: 'yes'; type?: string; after?: string }

export const firstStatus: RequestState = 'not-assigned'

/** Anybody may write an address: what makes no sense in it is left out. */
export function readRequestSearch(search: Record<string, unknown>): RequestSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const status = requestStates.find((name) => name === search.status)
  const type = typeof search.type === 'string' && idShape.test(search.type) ? search.type : undefined
  const after = typeof search.after === 'string' && markShape.test(search.after) ? search.after : undefined
  return {
    ...(status && status !== firstStatus && { status }),
    ...(q !== '' && { q: q.slice(0, wordsCharsMax) }),
    ...(search.mine === 'yes' && { mine: 'yes' as const }),
    ...(type && { type }),
    ...(after && { after }),
  }
}
