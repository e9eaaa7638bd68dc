import { acceptancesList } from '@atrium/contract/terms/acceptances-list.ts'
import { type TermsState, termsStates } from '@atrium/contract/terms/states.ts'
import { type ListSearch, readListSearch } from '../../ui/lists/list-address.ts'

/** URL state of the list. */
export type TermsSearch = { state?: TermsState }

export function readTermsSearch(search: Record<string, unknown>): TermsSearch {
  const state = termsStates.find((each) => each === search.state)
  return state ? { state } : {}
}

/** URL state of one set of terms: the versions to compare, or filters of the acceptances. `draft` selects the draft. */
export type OneTermsSearch = Omit<ListSearch<typeof acceptancesList>, 'version'> & {
  version?: number
  with?: number | 'none'
  draft?: true
}

const count = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= 100_000 ? number : undefined
}

/** Ignores invalid values in the URL. */
export function readOneTermsSearch(search: Record<string, unknown>): OneTermsSearch {
  const version = count(search.version)
  const other = search.with === 'none' ? 'none' : count(search.with)
  const { version: _, ...listed } = readListSearch(acceptancesList, search)
  return {
    ...listed,
    ...(version && { version }),
    ...(other && { with: other }),
    ...(String(search.draft) === 'true' && { draft: true }),
  }
}
