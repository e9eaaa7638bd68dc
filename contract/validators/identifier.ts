import { z } from 'zod'

/** All whitespace, and invisible characters: zero-width and direction marks, soft hyphens, byte order marks. */
const unseen = /[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Removes whitespace and invisible characters, which come with text copied from a page, a PDF or a chat. */
export function normalizeIdentifier(text: string): string {
  return text.replace(unseen, '')
}

/** A text field that holds an identifier: validated and stored in its plain form. */
export const identifier = (words?: { error: string }) => z.string(words).overwrite(normalizeIdentifier)

/** Some scripts need joiners between two letters. */
const unseenInWords =
  /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])/gu

/** Removes invisible characters and surrounding whitespace. */
export const normalizeText = (text: string): string => text.replace(unseenInWords, '').trim()

/** Normalizes a search text: words and numbers separated by plain spaces, with letters and their marks composed as in names. */
export function normalizeSearch(text: string): string {
  return normalizeText(text)
    .normalize('NFC')
    .replace(/\p{White_Space}+/gu, ' ')
}

export const searchText = () => z.string().overwrite(normalizeSearch)
