/**
 * Lists of values that a brokerage can define, by entity; its own list replaces the default one as a whole. Tickets and
 * documents store an entry's key.
 */
export const usualTaxonomies = {
  ticket: ['General', 'Trading', 'Deposits and withdrawals', 'Documents', 'Platforms', 'Complaint'],
  ticket_priority: ['Low', 'Medium', 'High'],
  request: ['Profile', 'Trading accounts', 'Bank accounts', 'Statements'],
  request_status: ['Not assigned', 'Open', 'In progress', 'Done', 'Canceled', 'Rejected'],
  document: ['Proof of identity', 'Proof of address', 'Bank statement', 'Source of funds', 'Other'],
  bank_account: ['Personal', 'Business'],
} as const satisfies Record<string, readonly string[]>

export type TaxonomyEntity = keyof typeof usualTaxonomies
export const taxonomyEntities = Object.keys(usualTaxonomies) as TaxonomyEntity[]

export type Taxonomy = { _id: string; name: string; entity: string }

/** The key comes from the entry's first name and never changes; it is the id in the API. Archived entries are not offered. */
export type ListEntry = { key: string; name: string; archived: boolean }
/** The workspace's own lists as stored: entries, or names only. */
export type OwnLists = Readonly<Record<string, readonly (string | ListEntry)[]>>

export const entryKeyOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')

/** All entries in order, including archived ones. Empty for an entity without a list. */
export function entriesOf(entity: string, own: OwnLists): ListEntry[] {
  const listOf = (lists: OwnLists) => (Object.hasOwn(lists, entity) ? lists[entity] : undefined)
  const entries = listOf(own) ?? listOf(usualTaxonomies) ?? []
  return entries.map((entry) =>
    typeof entry === 'string' ? { key: entryKeyOf(entry), name: entry, archived: false } : entry,
  )
}

export function taxonomiesOf(entity: string, own: OwnLists): Taxonomy[] {
  return entriesOf(entity, own)
    .filter(({ archived }) => !archived)
    .map(({ key, name }) => ({ _id: key, name, entity }))
}
