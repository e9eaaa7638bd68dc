import { type FileBytes, find, windowsOf } from './file-bytes.ts'
import { makeTextSearch } from './plain-text.ts'

/** The end mark must be near the end, and nothing but blanks may follow the last one. */
const blankTailBytesMax = 1_024
const endMark = '%%EOF'
const streamMark = Buffer.from('stream')
const streamEndMark = Buffer.from('endstream')

/** What a receipt has no use for and an attack has: programs, starting programs, and pages posing as a document. */
const activeNames = /\/(JavaScript|JS|Launch|RichMedia)(?![A-Za-z0-9])/
const markup = /<\s*(script|html|svg|iframe|!doctype)/i

/**
 * True for a PDF that starts at the first byte, ends at the last and does nothing by itself. Compressed parts are not looked
 * into: it keeps honest files out of trouble and stops the plain attacks; the sandboxed download is the other wall.
 * Files inside are allowed, since electronic invoices are made that way.
 */
export async function isQuietPdf(bytes: FileBytes): Promise<boolean> {
  if (!/^%PDF-[12]\.\d/.test((await bytes.read(0, 8)).toString('latin1'))) return false
  const tailBytes = blankTailBytesMax + endMark.length
  const tail = (await bytes.read(Math.max(0, bytes.sizeBytes - tailBytes), tailBytes)).toString('latin1')
  const end = tail.lastIndexOf(endMark)
  if (end === -1 || /[^\s\0]/.test(tail.slice(end + endMark.length))) return false
  return !(await hasActiveText(bytes))
}

/** Stream bodies are mostly compressed: by chance they hold any three letters, so they prove nothing. */
async function hasActiveText(bytes: FileBytes): Promise<boolean> {
  for (let offset = 0; offset < bytes.sizeBytes; ) {
    const start = await find(bytes, streamMark, offset)
    const end = start === -1 ? -1 : await find(bytes, streamEndMark, start + streamMark.length)
    if (await isActive(bytes, offset, end === -1 ? bytes.sizeBytes : start)) return true
    if (end === -1) return false
    offset = end + streamEndMark.length
  }
  return false
}

async function isActive(bytes: FileBytes, from: number, to: number): Promise<boolean> {
  const hasNames = makeTextSearch({ pattern: activeNames, mark: '/', read: withNamesRead })
  const hasMarkup = makeTextSearch({ pattern: markup, mark: '<' })
  for await (const { content, isLast } of windowsOf(bytes, from, to)) {
    const text = content.toString('latin1')
    if (hasNames(text, isLast) || hasMarkup(text, isLast)) return true
  }
  return false
}

/** A name may be spelled with `#4a` for `J`; a reader of PDF reads both alike. */
function withNamesRead(text: string): string {
  return text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
