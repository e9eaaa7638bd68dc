/**
 * Formats by language and shape, each made once: making one costs a hundred times what writing a number with it does, and a
 * page writes some hundred. Bounded, since languages come from whoever asks.
 */
const formatsMax = 200
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()

function keptIn<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const kept = formats.get(key)
  if (kept) return kept
  if (formats.size >= formatsMax) formats.clear()
  const made = make()
  formats.set(key, made)
  return made
}

export const numberFormat = (language: string, shape: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  keptIn(numbers, `${language} ${JSON.stringify(shape)}`, () => new Intl.NumberFormat(language, shape))

/** Not for the browser's own time zone by a name that may change: `timeZone` left out is the one of the first use. */
export const dateFormat = (language: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  keptIn(dates, `${language} ${JSON.stringify(shape)}`, () => new Intl.DateTimeFormat(language, shape))
