/**
 * Lists that a brokerage words for itself, by what they belong to. A workspace that says nothing has these; a list of its
 * own replaces the whole list. The word is the entry's id: it is what tickets and documents keep.
 */
export const usualTaxonomies: Readonly<Record<string, readonly string[]>> = {
  ticket: ['General', 'Trading', 'Deposits and withdrawals', 'Documents', 'Platforms', 'Complaint'],
  ticket_priority: ['Low', 'Medium', 'High'],
  request: ['Profile', 'Trading accounts', 'Bank accounts', 'Statements'],
  request_status: ['Not assigned', 'Open', 'In progress', 'Done', 'Canceled', 'Rejected'],
  document: ['Proof of identity', 'Proof of address', 'Bank statement', 'Source of funds', 'Other'],
  bank_account: ['Personal', 'Business'],
}

export type Taxonomy = { _id: string; name: string; entity: string }

/** Empty for an entity that has no list. */
export function taxonomiesOf(entity: string, own: Readonly<Record<string, readonly string[]>>): Taxonomy[] {
  const listOf = (lists: typeof own) => (Object.hasOwn(lists, entity) ? lists[entity] : undefined)
  const names = listOf(own) ?? listOf(usualTaxonomies) ?? []
  return names.map((name) => ({ _id: name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-'), name, entity }))
}
