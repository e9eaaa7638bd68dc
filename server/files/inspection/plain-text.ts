import { type FileBytes, windowsOf } from '../file-bytes.ts'

/** Longer than any searched text with its blanks collapsed. */
const carriedChars = 512

type Sought = {
  pattern: RegExp
  /** A character that every match contains: windows without it are skipped. */
  mark: string
  read?: (text: string) => string
}

/**
 * Whether the pattern occurs in a text read in windows; runs of blanks count as one, a line break or tab if they have any. A match that touches the end of a
 * window is judged with the next one, which may disprove it.
 */
export function makeTextSearch({ pattern, mark, read = (text) => text }: Sought) {
  const all = new RegExp(pattern.source, `${pattern.flags}g`)
  let carried = ''
  return (text: string | Buffer, isLast: boolean): boolean => {
    // Makes no text of bytes that cannot match, which most are; a match may begin in their last ones.
    if (!carried.includes(mark) && !text.includes(mark)) {
      carried = textOf(text.slice(-carriedChars))
      return false
    }
    const joined = carried + textOf(text)
    const pressed = joined.replace(/\s\s+/g, blankOf)
    const shown = read(pressed)
    carried = pressed.slice(-carriedChars)
    return shown.matchAll(all).some((match) => isLast || match.index + match[0].length < shown.length)
  }
}

const blankOf = (run: string): string => /[\n\r]/.exec(run)?.[0] ?? (run.includes('\t') ? '\t' : ' ')

const textOf = (text: string | Buffer): string => (typeof text === 'string' ? text : text.toString('latin1'))

export const remark = { open: '<!--', close: '-->' }

/** Skips blanks and complete HTML comments one by one, since a repeating pattern can backtrack for ever. */
export function afterRemarks(text: string): string {
  let at = 0
  for (;;) {
    while (at < text.length && /[\s\0]/.test(text[at] ?? '')) at += 1
    const end = text.startsWith(remark.open, at) ? text.indexOf(remark.close, at + remark.open.length) : -1
    if (end === -1) return text.slice(at)
    at = end + remark.close.length
  }
}

const markup = /<\s*(script|html|svg|iframe|body|!doctype|\?xml|\?php)/i

/** A value from another program (DDE), as `cmd|'/c calc'!A1` or `cmd|calc!A1`. */
const quotedCall = String.raw`\b[a-z_][\w.]{0,40}\s?\|\s?'[^']{0,300}'\s?!`
const plainCall = String.raw`[a-z_][\w.]{0,40}\s?\|\s?[^\s,;'"!|]{1,100}![\w'\\$\x80-\uffff]`
/** What a formula has before it: the sign at the beginning of a cell, then terms with an operator, or the arguments of a function. */
const cellStart = String.raw`[\n\r\t,;]["'\s]{0,4}[=+@-]`
const terms = String.raw`[^\n\r\t,;]{0,120}[=+@*/^&<>-]`
const inFunction = String.raw`[^\n\r\t,;]{0,60}[a-z]\((?:[^\n\r)]{0,60}[=+@*/^&<>,;(-])?`

/**
 * Plain formulas are usual, as in `="00123"`, and so are bars between cells: without quotes, only a formula names an item right behind
 * the exclamation mark.
 */
const starting = new RegExp(`${quotedCall}|${cellStart}(?:${terms}|${inFunction})?[\\s(]{0,4}${plainCall}`, 'i')

/** Sends cells to an address once the table is opened. No bank writes it into a text. */
const asking = /\bWEBSERVICE\s?\(/i

/**
 * Why it is no text table in an encoding compatible with ASCII, or in UTF-16, or null: no control characters, and no code for a
 * browser, shell or spreadsheet.
 */
export async function problemOfTextTable(bytes: FileBytes): Promise<'table-mixed' | 'table-starts' | null> {
  const hasMarkup = makeTextSearch({ pattern: markup, mark: '<' })
  const starts = makeTextSearch({ pattern: starting, mark: '|' })
  const asks = makeTextSearch({ pattern: asking, mark: '(' })
  const start = (await bytes.read(0, 4)).toString('latin1')
  if (start.startsWith('#!') || start.startsWith('%PDF')) return 'table-mixed'
  const wide = wideMarks.indexOf(start.slice(0, 2))
  if (wide !== -1 && bytes.sizeBytes % 2 === 1) return 'table-mixed'
  for await (const { at, content, isLast } of windowsOf(bytes, 0, bytes.sizeBytes)) {
    const narrow = wide === 1 ? Buffer.from(content).swap16() : content
    const text = narrow.toString(wide === -1 ? 'latin1' : 'utf16le')
    if (controls.test(text) || hasMarkup(text, isLast)) return 'table-mixed'
    // The first cell follows a separator, too.
    const cells = at === 0 ? text.replace(/^(?:\xef\xbb\xbf)?/, '\n') : text
    if (starts(cells, isLast) || asks(cells, isLast)) return 'table-starts'
  }
  return null
}

/** Excel writes Unicode tables in UTF-16 with a byte order mark. */
const wideMarks = ['\xff\xfe', '\xfe\xff']
const controls = /[^\P{Cc}\t\n\r\x80-\x9f]/u
