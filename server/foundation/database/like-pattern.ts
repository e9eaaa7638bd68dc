import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The `like` pattern for texts that contain this one; `%` and `_` are escaped. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/**
 * Whether a stored text contains a search text, whatever the case. The letters of a search text are composed with their
 * marks; texts are stored as written, which some keyboards and files do apart.
 */
export function containsText(stored: RawBuilder<unknown>, searched: string): RawBuilder<SqlBool> {
  const pattern = likePattern(searched)
  if (isAscii(searched)) return sql<SqlBool>`(${stored} ilike ${pattern})`
  return sql<SqlBool>`(${stored} ilike ${pattern}
    or (${stored} is not nfc normalized and normalize(${stored}, nfc) ilike ${pattern}))`
}
