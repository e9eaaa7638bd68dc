import { limits } from '@atrium/contract/limits.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Staff } from './actor.ts'
import type { Tx } from './database/database.ts'
import { containsText } from './database/like-pattern.ts'
import { emailSpellings } from './email-spellings.ts'

/** Bounds the cost of a search; longer ones are rare. */
const wordsMax = 6

/** Normalizes as the database does (`plain_name`): no diacritics, lower case. */
const plainText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const splitBy = (text: string, separator: RegExp): string[] => text.split(separator).filter((word) => word !== '')

/** The words of one of the spellings in which a typed word may be stored. */
type Spelling = readonly string[]

/** Apostrophes and hyphens, which keyboards and word processors put for one another; a name is stored with its parts, too. */
const joints = /[-'’‘ʼʻ`′‐–.]+/

/** An email is stored as it is written, its domain in letters or in the `xn--` form. */
function spellingsOf(typed: string): Spelling[] {
  const plain = plainText(typed)
  const isEmail = typed.includes('@')
  const all = [
    splitBy(plain, /\s+/),
    isEmail ? [] : splitBy(plain, joints),
    [typed.toLowerCase()],
    ...(isEmail ? emailSpellings(typed) : []).filter((email) => !email.endsWith('@')).map((email) => [email]),
  ]
  const written = new Map(all.filter((words) => words.length > 0).map((words) => [words.join(' '), words]))
  return plain === '' ? [] : [...written.values()]
}

/** Each typed word in its spellings. */
const wordsOf = (q = ''): Spelling[][] =>
  splitBy(q, /\s+/)
    .map(spellingsOf)
    .filter((spellings) => spellings.length > 0)
    .slice(0, wordsMax)

const alike = { from: 'ς’‘ʼʻ`′‐–', to: `σ${"'".repeat(6)}--` }
const withAlike = (text: string): string =>
  [...text].map((letter) => alike.to[alike.from.indexOf(letter)] ?? letter).join('')

/**
 * Whether a `plain_name` contains each word of the search, in any order, whatever the case and marks of its letters. For
 * lists that search a part of the name.
 */
export function nameContains(plainName: RawBuilder<unknown>, q: string): RawBuilder<SqlBool> {
  const words = splitBy(plainText(q), /\s+/).map(withAlike)
  if (words.length === 0) return sql<SqlBool>`false`
  const name = sql`translate(${plainName}, ${alike.from}, ${alike.to})`
  return sql<SqlBool>`(${sql.join(
    words.map((word) => containsText(name, word)),
    sql` and `,
  )})`
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
  words: readonly (readonly Spelling[])[]
}

const longestOf = (spelling: Spelling): string =>
  spelling.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
const lengthOf = (word: readonly Spelling[]): number => Math.min(...word.map((spelling) => longestOf(spelling).length))
const longestFirst = (words: WordSearch['words']) => [...words].sort((left, right) => lengthOf(right) - lengthOf(left))

/** True for a word that a member needs for one of the spellings. */
const mayBe = (word: readonly Spelling[]) =>
  sql`(${sql.join(
    word.map((spelling) => sql`(${beginsWith(longestOf(spelling))})`),
    sql` or `,
  )})`

/**
 * Finds a word that few members have. The planner estimates this badly behind row security, and would scan all members
 * for a common letter.
 */
export async function searchWords(tx: Tx, staff: Staff, q: string | undefined): Promise<WordSearch> {
  const words = wordsOf(q)
  for (const rare of longestFirst(words)) {
    const found = await sql<{ member_id: string }>`
      select member_id from member_words as word
      where workspace_id = ${staff.workspaceId}::uuid and ${mayBe(rare)} limit ${fewMax + 1}`.execute(tx)
    const isMet = rare.every((spelling) => spelling.length === 1)
    if (found.rows.length <= fewMax)
      return {
        few: found.rows.map((row) => row.member_id),
        words: words.filter((word) => word !== rare || !isMet),
      }
  }
  return { few: null, words }
}

/**
 * Members with a common word, up to the count limit, since counting all of them would be slow. Null for a rare word or
 * an empty search.
 */
export function someWith({ workspaceId }: Staff, { few, words }: WordSearch) {
  const [longest] = longestFirst(words)
  if (few || longest === undefined) return null
  return sql<string>`(select distinct member_id from member_words as word
    where workspace_id = ${workspaceId}::uuid and ${mayBe(longest)} limit ${limits.countedMax})`
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
  const has = (word: string) => sql`(
      select true from member_words as word
      where word.workspace_id = ${sql.ref(`${rows}.workspace_id`)} and word.member_id = ${owner} and ${beginsWith(word)}
      limit 1)`
  const isSpelled = (spelling: Spelling) => sql`(${sql.join(spelling.map(has), sql` and `)})`
  const conditions = words.map((word) => sql`(${sql.join(word.map(isSpelled), sql` or `)})`)
  // Within an `or`, conditions are evaluated in this order, so the cheapest comes first.
  if (few) conditions.unshift(sql`${owner} = any(${few}::uuid[])`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
