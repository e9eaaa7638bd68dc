import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { Staff } from './actor.ts'
import type { Tx } from './database/database.ts'

/** More words than anybody types, fewer than would be work. */
const wordsMax = 6

/** As the database writes them down (`plain_name`): without marks, in small letters. */
function wordsOf(q: string | undefined): string[] {
  const plain = (q ?? '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax)
}

/** The last character there is: everything that begins with the word lies below the word with it. */
const lastCharacter = '\u{10FFFF}'

const beginsWith = (word: string) => sql`word.word >= ${word} and word.word < ${word + lastCharacter}`

/** So many that looking at each is quick, whatever else is asked of them. */
const fewMax = 1_000

export type WordSearch = {
  /** Who is found by one of the words, when those are few: everything else is asked of them alone. */
  few: string[] | null
  words: string[]
}

/**
 * Looks for a word that few members have. Left to itself the database guesses how many those are, and guesses badly behind
 * row security: it would read everybody for a single letter that everybody has.
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
 * Who has a word that many have, no more than are ever counted: asked of everybody, to know how many they are, it would keep
 * everybody waiting. Null where a word is rare, or nothing is searched for.
 */
export function someWith({ workspaceId }: Staff, { few, words }: WordSearch) {
  const [longest] = [...words].sort((left, right) => right.length - left.length)
  if (few || longest === undefined) return null
  return sql<string>`(select distinct member_id from member_words as word
    where workspace_id = ${workspaceId}::uuid and ${beginsWith(longest)} limit ${limits.countedMax})`
}

/** Whether `someWith` left somebody out: what was counted among those alone may be too little then. */
export async function leavesOut(tx: Tx, some: NonNullable<ReturnType<typeof someWith>>): Promise<boolean> {
  const counted = await sql<{ named: number }>`select count(*)::int as named from ${some} as named`.execute(tx)
  return (counted.rows[0]?.named ?? 0) >= limits.countedMax
}

/**
 * What a row must meet whose member is looked for; `rows` is the table whose `workspace_id` and `member_id` say who that
 * is. For each word a value and not an `exists`, which could be made a join of: asked row by row, in the order of the list.
 */
export function meetsSearch(
  { few, words }: WordSearch,
  rows: 'account' | 'members' | 'movement' | 'opening' | 'request' | 'ticket',
) {
  const owner = sql.ref(`${rows}.member_id`)
  const conditions = words.map(
    (word) => sql`(
      select true from member_words as word
      where word.workspace_id = ${sql.ref(`${rows}.workspace_id`)} and word.member_id = ${owner} and ${beginsWith(word)}
      limit 1)`,
  )
  // Beside others in an `or` they are asked in this order: what costs nothing goes first.
  if (few) conditions.unshift(sql`${owner} = any(${few}::uuid[])`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
