import { withoutFormulas } from '@atrium/contract/csv.ts'
import { isDecimal } from '@atrium/contract/money.ts'

/** `amount` is a figure of ours that sums are made of: a minus stays a minus, where it is nothing but a decimal. */
type Cell = string | number | boolean | null | { amount: string }

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
