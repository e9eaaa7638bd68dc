/**
 * Lists that a brokerage words for itself, by what they belong to. A workspace that says nothing has these; a list of its
 * own replaces the whole list. Tickets and documents keep an entry's key.
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

/** The key is made of the first word an entry had and stays; it is the wire's id: a new label is the same entry. An archived one is not offered. */
export type ListEntry = { key: string; name: string; archived: boolean }
/** What a workspace keeps of its own: entries, or words alone. */
export type OwnLists = Readonly<Record<string, readonly (string | ListEntry)[]>>

export const entryKeyOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')

/** With the archived ones, in order. Empty for an entity that has no list. */
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
