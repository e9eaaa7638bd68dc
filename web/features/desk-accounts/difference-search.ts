import { differenceKinds, differenceStates } from '@atrium/contract/difference-states.ts'
import { idShape, markShape, oneOf, readShaped, type Shapes } from '../../ui/shaped-search.ts'

/** What the address says about the list of differences. Without a state, those that wait for a decision. */
export type DifferenceSearch = {
  state?: (typeof differenceStates)[number]
  kind?: (typeof differenceKinds)[number]
  platform?: string
  after?: string
  before?: string
}

const shapes: Shapes<Required<DifferenceSearch>> = {
  state: oneOf(differenceStates.filter((state) => state !== 'open')),
  kind: oneOf(differenceKinds),
  platform: idShape,
  after: markShape,
  before: markShape,
}

export const readDifferenceSearch = (search: Record<string, unknown>): DifferenceSearch => readShaped(shapes, search)

export function filtersOf({ after: _, before: __, ...filters }: DifferenceSearch): DifferenceSearch {
  return filters
}

/** Another filter begins at the first page. */
export const withFilter = (search: DifferenceSearch, change: Partial<Record<keyof DifferenceSearch, string | null>>) =>
  readDifferenceSearch({ ...filtersOf(search), ...change })
