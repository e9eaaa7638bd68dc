/** The end mark must be near the end, and nothing but blanks may follow the last one. */
const blankTailBytesMax = 1_024

/** What a receipt has no use for and an attack has: programs, starting programs, and pages posing as a document. */
const activeNames = /\/(JavaScript|JS|Launch|RichMedia)(?![A-Za-z0-9])/
const markup = /<\s*(script|html|svg|iframe|!doctype)/i

/**
 * True for a PDF that starts at the first byte, ends at the last and does nothing by itself. Compressed parts are not looked
 * into: it keeps honest files out of trouble and stops the plain attacks; the sandboxed download is the other wall.
 * Files inside are allowed, since electronic invoices are made that way.
 */
export function isQuietPdf(content: Buffer): boolean {
  if (!/^%PDF-[12]\.\d/.test(content.toString('latin1', 0, 8))) return false
  const endMark = content.lastIndexOf('%%EOF')
  const tail = content.toString('latin1', endMark + 5)
  if (endMark === -1 || tail.length > blankTailBytesMax || /[^\s\0]/.test(tail)) return false
  const text = withoutStreams(content)
  return !activeNames.test(withNamesRead(text)) && !markup.test(text)
}

/** Stream bodies are mostly compressed: by chance they hold any three letters, so they prove nothing. */
function withoutStreams(content: Buffer): string {
  const pieces: string[] = []
  let offset = 0
  for (;;) {
    const start = content.indexOf('stream', offset, 'latin1')
    const end = start === -1 ? -1 : content.indexOf('endstream', start + 6, 'latin1')
    pieces.push(content.toString('latin1', offset, end === -1 ? content.length : start))
    if (end === -1) return pieces.join('\n')
    offset = end + 9
  }
}

/** A name may be spelled with `#4a` for `J`; a reader of PDF reads both alike. */
function withNamesRead(text: string): string {
  return text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
