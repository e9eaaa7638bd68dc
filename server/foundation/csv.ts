import { isDecimal } from '@atrium/contract/money/money.ts'

/** What a spreadsheet program would take for a formula, wherever it begins to look; in wide letters too, as some do. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** Where lists are written with a semicolon, a program that is told nothing ends a cell there, quotes or not. */
const laterStart = /((?:;|(?<=\S)\t)["'\s]*)(?=[=+\-@＝＋－＠])/g

/** An apostrophe in front makes it text: what people typed is never run on the desk of whoever opens the file. */
function withoutFormulas(text: string): string {
  const later = text.replace(laterStart, "$1'")
  return formulaStart.test(later) ? `'${later}` : later
}

/** `amount` is a figure of ours that sums are made of: a minus stays a minus, where it is nothing but a decimal. */
export type Cell = string | number | boolean | null | { amount: string }

/**
 * One line of a table for spreadsheets (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe in
 * front: names and comments are written by members, and opened by staff.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'object' && cell !== null) return isDecimal(cell.amount) ? cell.amount : csvCell(cell.amount)
  const text = cell === null ? '' : String(cell)
  const plain = withoutFormulas(text)
  return /[",;\r\n]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Spreadsheets take UTF-8 for something else without it. */
export const csvMark = '\uFEFF'

/** As spreadsheets read a moment, in UTC. */
export const spreadsheetMoment = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ')

type Part<Behind> = { rows: readonly (readonly Cell[])[]; next: Behind | null | undefined }

/**
 * A table that is written out while it is read, part by part: however long, it is never whole in memory. Each part is read in a
 * transaction of its own, so that a slow reader holds no connection.
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
