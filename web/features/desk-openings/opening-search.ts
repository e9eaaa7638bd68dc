import { accountKinds, openingStates } from '@atrium/contract/opening-states.ts'
import { idShape, markShape, oneOf, readShaped, type Shapes, wordsShape } from '../../ui/shaped-search.ts'

/** What the address says about the list of openings. Only what is asked for stands in it. */
export type OpeningSearch = {
  q?: string
  state?: (typeof openingStates)[number]
  kind?: (typeof accountKinds)[number]
  platform?: string
  after?: string
  before?: string
}

const shapes: Shapes<Required<OpeningSearch>> = {
  q: wordsShape,
  state: oneOf(openingStates),
  kind: oneOf(accountKinds),
  platform: idShape,
  after: markShape,
  before: markShape,
}

export const readOpeningSearch = (search: Record<string, unknown>): OpeningSearch => readShaped(shapes, search)

export function filtersOf({ after: _, before: __, ...filters }: OpeningSearch): OpeningSearch {
  return filters
}

/** Another filter begins at the newest opening. */
export const withFilter = (search: OpeningSearch, change: Partial<Record<keyof OpeningSearch, string | null>>) =>
  readOpeningSearch({ ...filtersOf(search), ...change })
