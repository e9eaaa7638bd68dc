import { type FieldProblem, oneLine } from './office-fields.ts'

/** Sends cells to an address, or starts a program, once the workbook calculates. Texts of cells are in another part. */
const asking = /\b(?:WEBSERVICE|_xlfn\.IMAGE)\s{0,20}\(/i
const calling = /\bDDE\s{0,20}\(|\b[a-z_][\w.]{0,40}\s?\|\s?'[^'\0]{0,300}'\s?!/i

const name = String.raw`(?:[^\s<>/:"']+:)?(?:f|formula\d?|definedName)`
const attributes = String.raw`(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?`
/** Programs write a formula as one text: a comment, CDATA or an element in it would divide the name of a function. */
const divided = new RegExp(`<${name}${attributes}(?<!/)>[^<]*<[^/]`)
const formulaStart = new RegExp(`^<${name}[\\s>]`)
/** Longer than any formula, in character references too. */
const carriedCharsMax = 100_000
const otherwiseCarried = 200

/** Detects formulas that send cells away or start a program, in a sheet or workbook part read in chunks. */
export function makeFormulaSearch(): (chunk: Buffer) => FieldProblem | null {
  let carried = ''
  return (chunk) => {
    const text = carried + chunk.toString('latin1').replaceAll('\0', '')
    // The text of the last element may go on in the next chunk; the sign of the next element may be the last one.
    const last = Math.max(0, text.lastIndexOf('<'))
    const before = Math.max(0, text.lastIndexOf('<', last - 1))
    const isTooLong = before < text.length - carriedCharsMax
    carried = text.slice(isTooLong ? -otherwiseCarried : before)
    const isEndless = isTooLong && [before, last].some((at) => formulaStart.test(text.slice(at, at + otherwiseCarried)))
    return isEndless || divided.test(text) ? 'office-embeds' : problemOfText(text)
  }
}

/** Signs of elements end a text; those in a formula are character references, and are read with it. */
function problemOfText(text: string): FieldProblem | null {
  if (!/[|&]|webservice|image|dde/i.test(text)) return null
  const formulas = oneLine(text.replace(/[<>]/g, '\0'))
  if (asking.test(formulas)) return 'office-remote'
  return calling.test(formulas) ? 'office-embeds' : null
}
