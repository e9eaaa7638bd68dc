import { documentStatuses } from '@atrium/contract/documents/states.ts'

/** What the address says about the queue of KYC documents. Only what differs from what waits stands in it. */
export const queueTabs = ['in_verification', 'pending', 'rejected', 'approved', 'all'] as const
export type QueueTab = (typeof queueTabs)[number]
export type DocumentSearch = { state?: QueueTab; q?: string; page?: number }

export const queuePageSize = 25
const pageMax = 1_000
export const searchCharsMax = 100

/** Anybody may write an address: what makes no sense in it is left out. */
export function readDocumentSearch(search: Record<string, unknown>): DocumentSearch {
  const state = queueTabs.find((tab) => tab === search.state && tab !== 'in_verification')
  const q =
    typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q).slice(0, searchCharsMax) : ''
  const page = Number(search.page)
  const isPage = Number.isInteger(page) && page > 1 && page <= pageMax
  return { ...(state && { state }), ...(q !== '' && { q }), ...(isPage && { page }) }
}

/** What waits is worked oldest first; histories are read newest first. */
export function listInput({ state = 'in_verification', q, page = 1 }: DocumentSearch) {
  const order: 'oldest' | 'newest' = state === 'in_verification' || state === 'pending' ? 'oldest' : 'newest'
  const status = documentStatuses.find((each) => each === state)
  return { ...(status && { state: status }), ...(q && { q }), page, limit: queuePageSize, order }
}
