import { SaxesParser } from 'saxes'

type Attributes = Record<string, string>

/** Reads a small XML part: its elements with attributes, or null if it is not plain XML in UTF-8 or UTF-16. */
export function readElements(content: Buffer): { name: string; attributes: Attributes }[] | null {
  const text = decodeXml(content)
  if (text === null) return null
  const elements: { name: string; attributes: Attributes }[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (problem) => {
    throw problem
  })
  // Readers may differ in how they expand the entities of a document type.
  parser.on('doctype', () => {
    throw new Error('A part with a document type')
  })
  parser.on('opentag', ({ local, attributes }) => {
    const pairs = Object.values(attributes).map((attribute) => [attribute.local, attribute.value] as const)
    elements.push({ name: local, attributes: Object.fromEntries(pairs) })
  })
  try {
    parser.write(text).close()
    return elements
  } catch {
    return null
  }
}

function decodeXml(content: Buffer): string | null {
  const mark = content.toString('hex', 0, 2)
  const isWide = mark === 'fffe' || mark === 'feff'
  if (isWide && content.length % 2 === 1) return null
  const text = isWide
    ? (mark === 'fffe' ? content : Buffer.from(content).swap16()).toString('utf16le')
    : content.toString('utf8')
  const declared = /^.?<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/s.exec(text)?.[1]?.toLowerCase()
  const isAsSaid = declared === undefined || (isWide ? /^utf-?16/ : /^(utf-?8|us-ascii|ascii)$/).test(declared)
  return !isAsSaid || text.includes('\0') ? null : text.replace(/^\ufeff/, '')
}
