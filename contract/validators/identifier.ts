import { z } from 'zod'

/** Blanks of every kind, and marks that nobody sees: zero-width ones, directions, soft hyphens, byte order marks. */
const unseen = /[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** A number or code without what comes along when it is copied from a page, a PDF or a chat; none of that belongs to one. */
export function plainIdentifier(text: string): string {
  return text.replace(unseen, '')
}

/** A text field of a call that holds an identifier: what is judged and kept is the plain one. */
export const identifier = (words?: { error: string }) => z.string(words).overwrite(plainIdentifier)

/** Joiners belong to words of some scripts, between two letters. */
const unseenInWords =
  /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])/gu

/** Words without marks that nobody sees, and without blanks around them. */
export const plainWords = (text: string): string => text.replace(unseenInWords, '').trim()

/** What is searched for: words and numbers with plain blanks between them. */
export function plainSearch(text: string): string {
  return plainWords(text).replace(/\p{White_Space}+/gu, ' ')
}

export const searchText = () => z.string().overwrite(plainSearch)
