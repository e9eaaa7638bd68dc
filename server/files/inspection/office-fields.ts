/** Longer than any instruction that Word writes. */
const carriedCharsMax = 100_000
const tagChars = 200
const linesCharsMax = 10_000

/** An element's name with any prefix, an instruction of a field, and what divides the instructions of two fields. */
const instructions =
  /<(?:[^\s<>/:]+:)?instrText(?:\s[^<>]*)?>([^<]*)<(.)|\binstr\s*=\s*(?:"([^"]*)"|'([^']*)')|<(?:[^\s<>/:]+:)?fldChar[\s/>]/gs
const ddeLink = /<(?:[^\s<>/:]+:)?ddeLink[\s/>]/

/** Starts another program for its value. A quoted address may contain these letters. */
const starting = /\bDDE(AUTO)?\b/i
/** No field of Word has more than nine switches: more are refused unread, since a search without a limit takes quadratic time. */
const behindSwitches = (address: string): string => {
  const one = String.raw`\\\S{1,20}\s`
  return String.raw`\s(?:(?:${one}){10}|(?:${one}){0,9}(?:"\s?)?(?:${address}))`
}
const network = String.raw`(?:file:)?[\\/]{2}`
const anywhere = `${network}|https?:|ftp:`
/** Load another document from the web or a network share, without a click; pictures may come from the web. Reads single blanks only. */
const loading = new RegExp(
  [
    String.raw`\b(?:INCLUDE|INCLUDETEXT|IMPORT|RD)${behindSwitches(anywhere)}`,
    String.raw`\bINCLUDEPICTURE${behindSwitches(network)}`,
    String.raw`\bLINK\s\S+${behindSwitches(anywhere)}`,
    String.raw`\bDATABASE\s.{0,300}?"\s?(?:${anywhere})`,
  ].join('|'),
  'i',
)

export type FieldProblem = 'office-embeds' | 'office-remote'

/**
 * Detects fields that start a program (DDE) or load a file by themselves, in a part read in chunks. Word joins the text of one field,
 * which may be split over several elements, and never that of two. UTF-16 text is read like 8-bit text.
 */
export function makeFieldSearch(): (chunk: Buffer) => FieldProblem | null {
  let carried = ''
  let lines = ''
  return (chunk) => {
    const text = carried + chunk.toString('latin1').replaceAll('\0', '')
    let readTo = 0
    let added = ''
    let isHidden = isEndless(text)
    const hasFields = text.includes('instr') || text.includes('fldChar')
    for (const match of hasFields ? text.matchAll(instructions) : []) {
      const [whole, written, next, ...said] = match
      // The next element is read on its own.
      readTo = match.index + whole.length - (written === undefined ? 0 : 2)
      isHidden ||= next === '!' || next === '?'
      const attribute = said.find((value) => value !== undefined)
      const isDivided = written === undefined
      added += isDivided ? `\n${oneLine(attribute ?? '')}\n` : oneLine(written)
    }
    carried = text.slice(Math.max(readTo, Math.min(text.length - tagChars, begunAt(text))))
    // Word writes neither comments nor CDATA in an instruction, which would hide the rest of it.
    if (isHidden || ddeLink.test(text)) return 'office-embeds'
    if (added === '') return null
    const read = singleBlanks(lines + added)
    lines = read.slice(-linesCharsMax)
    if (starting.test(read.replace(/"[^"\n]*"/g, ''))) return 'office-embeds'
    return loading.test(read) ? 'office-remote' : null
  }
}

/** The position of an element that may not be complete yet. */
function begunAt(text: string): number {
  const at = text.lastIndexOf('instr')
  return at === -1 || at < text.length - carriedCharsMax ? text.length : at - tagChars
}

/** Whether an instruction is longer than is carried over, and so could not be read. */
function isEndless(text: string): boolean {
  const at = text.lastIndexOf('instr')
  return at !== -1 && at < text.length - carriedCharsMax && !text.includes('<', at)
}

const singleBlanks = (text: string): string => text.replace(/\s\s+/g, (run) => (run.includes('\n') ? '\n' : ' '))

const named: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" }

/** A text of XML with its character references read. */
export const oneLine = (text: string): string =>
  text
    .replace(/&(?:#(x[0-9a-f]+|\d+)|(quot|amp|lt|gt|apos));/gi, (_, code: string | undefined, name: string) =>
      code === undefined
        ? (named[name.toLowerCase()] ?? '')
        : String.fromCodePoint(Math.min(0x10ffff, Number(/^x/i.test(code) ? `0${code}` : code))),
    )
    .replace(/\s/g, ' ')
