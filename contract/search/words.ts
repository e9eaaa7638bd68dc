/** Word search for browser and server: each typed word must be a prefix of a word in the text, ignoring case. */

const wordsMax = 8

/** Removes accents, so that "zurich" finds "Zürich". */
function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== '')
}

export function matches(query: string, texts: readonly string[]): boolean {
  const wanted = wordsOf(query).slice(0, wordsMax)
  const there = texts.flatMap(wordsOf)
  return wanted.length > 0 && wanted.every((word) => there.some((one) => one.startsWith(word)))
}

export type Piece = { text: string; isMatch: boolean /** Where it stands, in characters. */; at: number }

/** Splits a text into matched and unmatched pieces, for highlighting in results. */
export function matchedPieces(query: string, text: string): Piece[] {
  const wanted = wordsOf(query).slice(0, wordsMax)
  let at = 0
  const pieces = text.split(/([^\p{L}\p{N}])/u).flatMap((part): Piece[] => {
    const marked = markedChars(part, wanted)
    const begun = { text: part.slice(0, marked), isMatch: true, at }
    const rest = { text: part.slice(marked), isMatch: false, at: at + marked }
    at += part.length
    return [begun, rest]
  })
  return pieces.filter((piece) => piece.text !== '')
}

function markedChars(part: string, wanted: readonly string[]): number {
  const word = foldText(part)
  const lengths = wanted.filter((one) => word.startsWith(one)).map((one) => one.length)
  if (lengths.length === 0) return 0
  // A letter and its foldText form may differ in length; then the whole word is marked.
  return word.length === part.length ? Math.max(...lengths) : part.length
}
