import { undeliveredStates } from '@atrium/contract/mail-states.ts'
import { markShape, oneOf, readShaped, type Shapes, wordsShape } from '../../ui/shaped-search.ts'

/** What the address says about the list of mails. Only what is asked for stands in it. */
export type MailSearch = {
  q?: string
  state?: (typeof undeliveredStates)[number]
  after?: string
  before?: string
}

const shapes: Shapes<Required<MailSearch>> = {
  q: wordsShape,
  state: oneOf(undeliveredStates),
  after: markShape,
  before: markShape,
}

export const readMailSearch = (search: Record<string, unknown>): MailSearch => readShaped(shapes, search)

export function filtersOf({ after: _, before: __, ...filters }: MailSearch): MailSearch {
  return filters
}

/** Another filter begins at the latest mail. */
export const withFilter = (search: MailSearch, change: Partial<Record<keyof MailSearch, string | null>>) =>
  readMailSearch({ ...filtersOf(search), ...change })
