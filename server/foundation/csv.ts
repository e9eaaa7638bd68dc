import { isDecimal } from '@atrium/contract/money/money.ts'

/** Starts that spreadsheet programs treat as a formula, including full-width characters. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** With a semicolon as list separator, a program ends a cell there, and a row at a line break, quotes or not. */
const laterStart = /(?<=(?:[;\r\n]|\S\t)["'\s]*)[=+\-@＝＋－＠]/g

/** A leading apostrophe makes it text, so that input of members never runs as a formula. */
function withoutFormulas(text: string): string {
  const later = text.replace(laterStart, "'$&")
  return formulaStart.test(later) ? `'${later}` : later
}

/** `amount` is a decimal of ours: its minus sign stays, provided it is a plain decimal. */
export type Cell = string | number | boolean | null | { amount: string }

/**
 * One CSV line (RFC 4180). Prefixes cells that a spreadsheet would run as a formula with an apostrophe, since members
 * write names and comments that staff open.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'object' && cell !== null) return isDecimal(cell.amount) ? cell.amount : csvCell(cell.amount)
  // A number is ours and never a formula: with an apostrophe before its minus it would be missing in sums.
  if (typeof cell === 'number') return String(cell)
  const text = cell === null ? '' : String(cell)
  const safe = withoutFormulas(text)
  return /[",;\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The byte order mark, without which spreadsheets do not detect UTF-8. */
export const csvMark = '\uFEFF'

/** The date format that spreadsheets read, in UTC. */
export const spreadsheetMoment = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ')

type Part<Behind> = { rows: readonly (readonly Cell[])[]; next: Behind | null | undefined }

/**
 * Streams a table part by part, so that it is never whole in memory. Each part is read in its own transaction, so a
 * slow reader holds no connection.
 */
export async function* writeTable<Behind>(
  heads: readonly string[],
  readPart: (behind: Behind | undefined) => Promise<Part<Behind>>,
): AsyncIterable<string> {
  yield csvMark + csvLine(heads)
  let behind: Behind | undefined
  do {
    const { rows, next } = await readPart(behind)
    yield rows.map(csvLine).join('')
    behind = next ?? undefined
  } while (behind !== undefined)
}
