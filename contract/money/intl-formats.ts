/**
 * Caches formats by language and shape: creating one costs a hundred times as much as formatting a number, and a page formats
 * hundreds. Bounded, since clients choose the language.
 */

const formatsMax = 200
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()
const relatives = new Map<string, Intl.RelativeTimeFormat>()

function cachedIn<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const cached = formats.get(key)
  if (cached) return cached
  if (formats.size >= formatsMax) formats.clear()
  const made = make()
  formats.set(key, made)
  return made
}

export const numberFormat = (language: string, shape: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  cachedIn(numbers, `${language} ${JSON.stringify(shape)}`, () => new Intl.NumberFormat(language, shape))

/** Pass `timeZone` if the browser's zone may change: without it the cached format keeps the zone of its first use. */
export const dateFormat = (language: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cachedIn(dates, `${language} ${JSON.stringify(shape)}`, () => new Intl.DateTimeFormat(language, shape))

/** "yesterday" rather than "1 day ago". */
export const relativeFormat = (language: string): Intl.RelativeTimeFormat =>
  cachedIn(relatives, language, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
