import { inflateSync } from 'node:zlib'

/** What a PDF of ours says, read back by its own tables of letters: a line of text for each piece that was written. */
export function readPdf(content: Buffer): { pages: number; text: string } {
  const whole = content.toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of whole.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body)
  const letters = new Map<string, Map<string, string>>()
  for (const body of objects.values()) {
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
      if (table) letters.set(name, lettersOf(streamOf(objects.get(table) ?? '')))
    }
  }
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body))
  const drawn = pages.map((body) => streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(body)?.[1] ?? '') ?? ''))
  return { pages: pages.length, text: drawn.map((page) => piecesOf(page, letters)).join('\n') }
}

function streamOf(body: string): string {
  const start = body.indexOf('stream\n') + 7
  const raw = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')
  return (body.includes('/FlateDecode') ? inflateSync(raw) : raw).toString('latin1')
}

/** Which text a letter of the font stands for. */
function lettersOf(table: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, from = '', texts = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    const first = Number.parseInt(from, 16)
    const each = [...texts.matchAll(/<([0-9a-f ]*)>/gi)].map(([, hex = '']) => textOf(hex.replaceAll(' ', '')))
    for (const [index, text] of each.entries()) found.set((first + index).toString(16).padStart(4, '0'), text)
  }
  return found
}

const textOf = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

function piecesOf(page: string, letters: Map<string, Map<string, string>>): string {
  let table = new Map<string, string>()
  const pieces: string[] = []
  for (const [, font, shown] of page.matchAll(/\/(F\d+) [\d.]+ Tf|(\[[^\]]*\] TJ)/g)) {
    if (font) table = letters.get(font) ?? new Map()
    const hex = [...(shown ?? '').matchAll(/<([0-9a-f]*)>/gi)].map(([, digits = '']) => digits).join('')
    if (shown) pieces.push((hex.match(/.{4}/g) ?? []).map((glyph) => table.get(glyph) ?? '\u25a1').join(''))
  }
  return pieces.join('\n')
}
