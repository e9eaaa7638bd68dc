import type { CallInput } from '@atrium/contract/call.ts'
import type { exportMembers, listMembers } from '@atrium/contract/desk-members.ts'
import { documentsStatuses, memberAccountKinds, memberOrders, memberStatuses } from '@atrium/contract/member-states.ts'
import { memberTypes } from '@atrium/contract/scopes.ts'
import { wordsCharsMax } from '../../ui/shaped-search.ts'

/** What the address says about the list of members. Only what differs from the plain list stands in it. */
export type MemberSearch = {
  q?: string
  status?: (typeof memberStatuses)[number]
  documents?: (typeof documentsStatuses)[number]
  accounts?: (typeof memberAccountKinds)[number]
  type?: (typeof memberTypes)[number]
  referrer?: string
  from?: string
  to?: string
  order?: (typeof memberOrders)[number]
  after?: string
  before?: string
}

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value)

const matching = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined

/** Anybody may write an address: what makes no sense in it is left out. */
export function readMemberSearch(search: Record<string, unknown>): MemberSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const order = oneOf(memberOrders, search.order)
  const found = {
    q: q.slice(0, wordsCharsMax) || undefined,
    status: oneOf(memberStatuses, search.status),
    documents: oneOf(documentsStatuses, search.documents),
    accounts: oneOf(memberAccountKinds, search.accounts),
    type: oneOf(memberTypes, search.type),
    referrer: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, search.referrer),
    from: matching(/^\d{4}-\d{2}-\d{2}$/, search.from),
    to: matching(/^\d{4}-\d{2}-\d{2}$/, search.to),
    order: order === 'newest' ? undefined : order,
    after: matching(/^[\w-]{1,500}$/, search.after),
    before: matching(/^[\w-]{1,500}$/, search.before),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** Another filter begins at the first page. */
export function withFilter(search: MemberSearch, change: Partial<Record<keyof MemberSearch, string | undefined>>) {
  const { after: _, before: __, ...kept } = search
  return readMemberSearch({ ...kept, ...change })
}

export const isFiltered = ({ order: _, after: __, before: ___, ...filters }: MemberSearch): boolean =>
  Object.keys(filters).length > 0

export const listInput = (search: MemberSearch): CallInput<typeof listMembers> => search

export function filterInput({ after: _, before: __, ...filters }: MemberSearch): CallInput<typeof exportMembers> {
  return filters
}
