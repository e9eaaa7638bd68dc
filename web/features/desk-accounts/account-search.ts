import { accountAccesses } from '@atrium/contract/account-access.ts'
import { deskAccountOrders, deskAccountStates } from '@atrium/contract/desk-account-states.ts'
import { accountKinds } from '@atrium/contract/opening-states.ts'
import { idShape, markShape, oneOf, readShaped, type Shapes, wordsShape } from '../../ui/shaped-search.ts'

/** What the address says about the list of accounts. Only what is asked for stands in it. */
export type AccountSearch = {
  q?: string
  platform?: string
  kind?: (typeof accountKinds)[number]
  access?: (typeof accountAccesses)[number]
  state?: (typeof deskAccountStates)[number]
  order?: (typeof deskAccountOrders)[number]
  after?: string
  before?: string
}

const shapes: Shapes<Required<AccountSearch>> = {
  q: wordsShape,
  platform: idShape,
  kind: oneOf(accountKinds),
  access: oneOf(accountAccesses),
  state: oneOf(deskAccountStates),
  order: oneOf(deskAccountOrders),
  after: markShape,
  before: markShape,
}

export const readAccountSearch = (search: Record<string, unknown>): AccountSearch => readShaped(shapes, search)

export function filtersOf({ after: _, before: __, ...filters }: AccountSearch): AccountSearch {
  return filters
}

export const isFiltered = ({ order: _, ...search }: AccountSearch): boolean => Object.keys(filtersOf(search)).length > 0

/** Another filter or order begins at the first page. */
export const withFilter = (search: AccountSearch, change: Partial<Record<keyof AccountSearch, string | null>>) =>
  readAccountSearch({ ...filtersOf(search), ...change })
