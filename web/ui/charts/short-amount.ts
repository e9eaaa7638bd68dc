import { readerLanguage } from '../text/format.ts'

/** "12.5K", for axes and labels. Intl takes the decimal text itself, so only the output is rounded. */
export function shortAmount(value: string, language = readerLanguage()): string {
  const format = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  return format.format(value as Intl.StringNumericLiteral)
}

/** An axis label is a round number that the chart library chose, not an amount of money. */
export const axisMark = (place: number): string => shortAmount(String(place))

/**
 * The position of a value in the chart. The only place where money becomes a float: a pixel is coarser than the loss,
 * and every displayed value (label, tooltip, table) comes from the text.
 */
export const placeOf = (value: string): number => Number(value)
