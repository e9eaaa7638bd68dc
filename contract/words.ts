/** Searching by words, alike on both sides: each word that was typed begins a word of what is found, whatever its case. */

const wordsMax = 8

/** Letters without their accents, so that "zurich" finds "Zürich". */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

export function wordsOf(text: string): string[] {
  return plain(text)
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== '')
}

export function matches(query: string, texts: readonly string[]): boolean {
  const wanted = wordsOf(query).slice(0, wordsMax)
  const there = texts.flatMap(wordsOf)
  return wanted.length > 0 && wanted.every((word) => there.some((one) => one.startsWith(word)))
}

/** Where in a text the typed words begin its own: what a list of findings draws in bold. */
export function matchedPieces(query: string, text: string): { text: string; isMatch: boolean }[] {
  const wanted = wordsOf(query).slice(0, wordsMax)
  const pieces: { text: string; isMatch: boolean }[] = []
  for (const part of text.split(/([^\p{L}\p{N}])/u)) {
    // A letter and its plain form may differ in length; then the whole word is marked.
    const word = plain(part)
    const begun = wanted.filter((one) => word.startsWith(one)).sort((left, right) => right.length - left.length)[0]
    if (begun === undefined) pieces.push({ text: part, isMatch: false })
    else if (word.length !== part.length) pieces.push({ text: part, isMatch: true })
    else
      pieces.push(
        { text: part.slice(0, begun.length), isMatch: true },
        { text: part.slice(begun.length), isMatch: false },
      )
  }
  return pieces.filter((piece) => piece.text !== '')
}
