import { readerLanguage } from '../text/format.ts'

/** "12.5K": what an axis and a label have room for. Intl takes the text itself; only the writing is rounded. */
export function shortAmount(figure: string, language = readerLanguage()): string {
  const format = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  return format.format(figure as Intl.StringNumericLiteral)
}

/** The mark of an axis is a round number that the drawing chose, no amount of anybody. */
export const axisMark = (place: number): string => shortAmount(String(place))

/**
 * Where a figure stands in the drawing. The only place where money becomes a float: a pixel is coarser than what is lost,
 * and whatever is read (label, read-out, table) is written from the text.
 */
export const placeOf = (figure: string): number => Number(figure)
