/** What a spreadsheet program would take for a formula, wherever it begins to look; in wide letters too, as some do. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** Where lists are written with a semicolon, a program that is told nothing ends a cell there, quotes or not. */
const laterStart = /((?:;|(?<=\S)\t)["'\s]*)(?=[=+\-@＝＋－＠])/g

/** An apostrophe in front makes it text: what people typed is never run on the desk of whoever opens the file. */
export function withoutFormulas(text: string): string {
  const later = text.replace(laterStart, "$1'")
  return formulaStart.test(later) ? `'${later}` : later
}

function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = withoutFormulas(text)
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of comma-separated values, with a byte-order mark: without one Excel reads UTF-8 as something else. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
