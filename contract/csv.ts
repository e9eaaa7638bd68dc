/** What a spreadsheet program would take for a formula, wherever it begins to look. */
const formulaStart = /^[\s]*[=+\-@\t\r]/

function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  // An apostrophe in front makes it text; what people typed is never run on the desk of whoever opens the file.
  const safe = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of comma-separated values, with a byte-order mark: without one Excel reads UTF-8 as something else. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
