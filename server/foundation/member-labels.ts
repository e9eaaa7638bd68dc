import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { Staff } from './actor.ts'
import type { Tx } from './database/database.ts'

/** Bounds the cost of a search; longer ones are rare. */
const wordsMax = 6

/** Normalizes as the database does (`plain_name`): no diacritics, lower case. */
function wordsOf(q: string | undefined): string[] {
  const normalized = (q ?? '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return normalized
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax)
}

/** The highest code point, as the upper bound of a prefix range. */
const lastCharacter = '\u{10FFFF}'

/** The database writes a capital sigma at the end of a word as σ, JavaScript as ς, which is the character before it. */
const beginsWith = (word: string) =>
  sql`word.word >= ${word.replace(/σ$/, 'ς')} and word.word < ${word.replace(/ς$/, 'σ') + lastCharacter}`

/** Few enough to check each against all other conditions. */
const fewMax = 1_000

export type WordSearch = {
  /** Members who match one of the words, if there are few; the other conditions then apply to them alone. */
  few: string[] | null
  words: string[]
}

/**
 * Finds a word that few members have. The planner estimates this badly behind row security, and would scan all members
 * for a common letter.
 */
export async function searchWords(tx: Tx, staff: Staff, q: string | undefined): Promise<WordSearch> {
  const words = wordsOf(q)
  for (const rare of [...words].sort((left, right) => right.length - left.length)) {
    const found = await sql<{ member_id: string }>`
      select member_id from member_words as word
      where workspace_id = ${staff.workspaceId}::uuid and ${beginsWith(rare)} limit ${fewMax + 1}`.execute(tx)
    if (found.rows.length <= fewMax)
      return { few: found.rows.map((row) => row.member_id), words: words.filter((word) => word !== rare) }
  }
  return { few: null, words }
}

/**
 * Members with a common word, up to the count limit, since counting all of them would be slow. Null for a rare word or
 * an empty search.
 */
export function someWith({ workspaceId }: Staff, { few, words }: WordSearch) {
  const [longest] = [...words].sort((left, right) => right.length - left.length)
  if (few || longest === undefined) return null
  return sql<string>`(select distinct member_id from member_words as word
    where workspace_id = ${workspaceId}::uuid and ${beginsWith(longest)} limit ${limits.countedMax})`
}

/** Whether `someWith` reached its limit, so that a count among those members may be too low. */
export async function leavesOut(tx: Tx, some: NonNullable<ReturnType<typeof someWith>>): Promise<boolean> {
  const counted = await sql<{ named: number }>`select count(*)::int as named from ${some} as named`.execute(tx)
  return (counted.rows[0]?.named ?? 0) >= limits.countedMax
}

/**
 * The search condition for rows with a member; `rows` is the table with `workspace_id` and `member_id`. Uses a scalar
 * subquery per word, because `exists` could become a join: rows are checked one by one, in list order.
 */
export function meetsSearch(
  { few, words }: WordSearch,
  rows: 'account' | 'members' | 'transaction' | 'opening' | 'request' | 'ticket',
) {
  const owner = sql.ref(`${rows}.member_id`)
  const conditions = words.map(
    (word) => sql`(
      select true from member_words as word
      where word.workspace_id = ${sql.ref(`${rows}.workspace_id`)} and word.member_id = ${owner} and ${beginsWith(word)}
      limit 1)`,
  )
  // Within an `or`, conditions are evaluated in this order, so the cheapest comes first.
  if (few) conditions.unshift(sql`${owner} = any(${few}::uuid[])`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
