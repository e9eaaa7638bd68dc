import { type TermsState, termsStates } from '@atrium/contract/terms/states.ts'
import { wordsCharsMax } from '../../ui/lists/shaped-search.ts'

/** What the address says about the list. */
export type TermsSearch = { state?: TermsState }

export function readTermsSearch(search: Record<string, unknown>): TermsSearch {
  const state = termsStates.find((each) => each === search.state)
  return state ? { state } : {}
}

export type AcceptanceFilters = { q?: string; version?: number; page?: number }
/** About one template: which texts are looked at, or who of those that accepted. `draft` is the one under work. */
export type OneTermsSearch = AcceptanceFilters & { with?: number | 'none'; draft?: true }

const count = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= 100_000 ? number : undefined
}

/** Anybody may write an address: what makes no sense in it is left out. */
export function readOneTermsSearch(search: Record<string, unknown>): OneTermsSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const [page, version] = [count(search.page), count(search.version)]
  const other = search.with === 'none' ? 'none' : count(search.with)
  return {
    ...(q && { q: q.slice(0, wordsCharsMax) }),
    ...(page && page > 1 && { page }),
    ...(version && { version }),
    ...(other && { with: other }),
    ...(String(search.draft) === 'true' && { draft: true }),
  }
}
