/** The values of PDF objects. Strings are bytes as latin1; a dictionary lists its items in order, including duplicate keys. */
export type PdfValue =
  | { kind: 'number'; number: number }
  | { kind: 'text'; text: string }
  | { kind: 'name'; name: string }
  | { kind: 'word'; word: string }
  | { kind: 'ref'; to: number }
  | { kind: 'list' | 'dict'; items: PdfValue[] }
export type PdfDict = Extract<PdfValue, { items: PdfValue[] }>

/** The value continues past the bytes in memory. */
export class PdfCutShort extends Error {}
/** One for all windows: nearly each ends within a value, and a new error would collect a stack each time. */
const cutShort = new PdfCutShort()
/** An object stream that cannot be unpacked, so that its content is unknown. */
export class PdfUnreadable extends Error {}
/** A structure that no program writes and that costs too much to read. */
export class PdfTangled extends Error {}

const depthMax = 200
const endsDict = new Set(['endobj', 'stream', 'endstream', 'obj', 'xref', 'trailer', 'startxref'])

const classOf = new Uint8Array(256)
const [blank, delimiter] = [1, 2]
for (const byte of [0, 9, 10, 12, 13, 32]) classOf[byte] = blank
for (const mark of '()<>[]{}/%') classOf[mark.charCodeAt(0)] = delimiter

const code = (mark: string): number => mark.charCodeAt(0)
const percent = 37
const [open, close, less, more, slash, backslash] = [...'()<>/\\'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const openList = code('[')

/**
 * The highest bit of each of the four bytes that is below 14, as the ends of lines are. The subtraction sets it unless it was set
 * before; it may also set that of the byte after a smaller one, so only the lowest bit is certain.
 */
const markBelow14 = (word: number): number => (word - 0x0e0e0e0e) & ~word & 0x80808080

/** Parses values as PDF readers do (ISO 32000, 7.2 and 7.3), as leniently as the most lenient of them. */
export class PdfSyntax {
  readonly #bytes: Buffer
  readonly #isWhole: boolean
  #view: DataView | undefined
  at: number
  /** Start of the last value, read or failed. */
  start: number

  constructor(bytes: Buffer, at: number, isWhole: boolean) {
    this.#bytes = bytes
    this.#isWhole = isWhole
    this.at = at
    this.start = at
  }

  /** The next value, or null at the end. */
  readTop(): PdfValue | null {
    this.#skipBlanks(true)
    return this.at >= this.#bytes.length ? null : this.#read(0)
  }

  #peek(): number {
    if (this.at < this.#bytes.length) return this.#bytes[this.at] ?? 0
    if (!this.#isWhole) throw cutShort
    return -1
  }

  /** Skips white space and comments, which may be most of a file. */
  #skipBlanks(isTop = false): void {
    const bytes = this.#bytes
    const { length } = bytes
    for (let at = this.at; ; ) {
      while (at < length && classOf[bytes[at] as number] === blank) at += 1
      this.at = at
      if (isTop) this.start = at
      if (at >= length || bytes[at] !== percent) return
      at = this.#endOfLine(at)
      if (at < length || this.#isWhole) continue
      this.at = at
      throw cutShort
    }
  }

  /** Compares four bytes at a time. */
  #endOfLine(from: number): number {
    const bytes = this.#bytes
    const { length } = bytes
    this.#view ??= new DataView(bytes.buffer, bytes.byteOffset, length)
    const view = this.#view
    for (let at = from; ; at += 1) {
      let marks = 0
      while (at + 4 <= length) {
        marks = markBelow14(view.getInt32(at, true))
        if (marks !== 0) break
        at += 4
      }
      if (marks !== 0) at += (31 - Math.clz32(marks & -marks)) >> 3
      else while (at < length && (bytes[at] as number) > 13) at += 1
      if (at >= length || bytes[at] === 10 || bytes[at] === 13) return at
    }
  }

  #read(depth: number): PdfValue | null {
    if (depth > depthMax) throw new PdfTangled()
    this.#skipBlanks()
    const byte = this.#peek()
    if (byte === -1) return null
    if (byte === open) return this.#readText()
    if (byte === slash) return this.#readName()
    if (byte === openList) return this.#readItems('list', ']', depth)
    if (byte === less) {
      this.at += 1
      if (this.#peek() !== less) return this.#readHexText()
      return this.#readItems('dict', '>>', depth)
    }
    if (classOf[byte] === delimiter) {
      this.at += 1
      const isDouble = byte === more && this.#peek() === more
      if (isDouble) this.at += 1
      return { kind: 'word', word: isDouble ? '>>' : String.fromCharCode(byte) }
    }
    const token = this.#readRegular()
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(token)
      ? { kind: 'number', number: Number(token) }
      : { kind: 'word', word: token }
  }

  #readRegular(): string {
    const from = this.at
    while (this.at < this.#bytes.length && classOf[this.#bytes[this.at] ?? 0] === 0) this.at += 1
    if (this.at >= this.#bytes.length && !this.#isWhole) throw cutShort
    return this.#bytes.toString('latin1', from, this.at)
  }

  /** `/J#61vaScript` is `/JavaScript`. */
  #readName(): PdfValue {
    this.at += 1
    const name = this.#readRegular()
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll('\0', '')
    return { kind: 'name', name }
  }

  #readItems(kind: 'list' | 'dict', end: string, depth: number): PdfValue {
    this.at += 1
    const items: PdfValue[] = []
    for (;;) {
      const before = this.at
      const value = this.#read(depth + 1)
      if (value === null) return { kind, items }
      if (value.kind !== 'word') items.push(value)
      else if (value.word === end || (kind === 'list' && value.word === '>>')) {
        // An unclosed list ends with the value that contains it.
        if (value.word !== end) this.at = before
        return { kind, items }
      } else if (endsDict.has(value.word)) {
        this.at = before
        return { kind, items }
      } else if (value.word === 'R') addRef(items)
      else items.push(value)
    }
  }

  #readText(): PdfValue {
    this.at += 1
    const from = this.at
    for (let depth = 1; ; this.at += 1) {
      const byte = this.#peek()
      if (byte === -1) break
      if (byte === backslash) this.at += 1
      else if (byte === open) depth += 1
      else if (byte === close) {
        depth -= 1
        if (depth === 0) break
      }
    }
    const text = this.#bytes.toString('latin1', from, this.at)
    this.at = Math.min(this.at + 1, this.#bytes.length)
    return { kind: 'text', text: withoutEscapes(text) }
  }

  #readHexText(): PdfValue {
    const end = this.#bytes.indexOf('>', this.at, 'latin1')
    if (end === -1 && !this.#isWhole) throw cutShort
    const to = end === -1 ? this.#bytes.length : end
    const digits = this.#bytes.toString('latin1', this.at, to).replace(/[^0-9a-f]/gi, '')
    this.at = Math.min(to + 1, this.#bytes.length)
    return { kind: 'text', text: Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1') }
  }
}

function addRef(items: PdfValue[]): void {
  const [number, generation] = items.slice(-2)
  if (number?.kind !== 'number' || generation?.kind !== 'number') return
  items.splice(-2, 2, { kind: 'ref', to: number.number })
}

const escaped: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal: string | undefined, mark = '') => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    return /[\r\n]/.test(mark) ? '' : (escaped[mark] ?? mark)
  })
}

/** Keys with their values, including duplicate keys, since readers differ in which they use. Skips keys that are not names. */
export function* entriesOf({ items }: PdfDict): Iterable<[key: string, value: PdfValue]> {
  for (let at = 0; at < items.length; at += 1) {
    const [key, value] = [items[at], items[at + 1]]
    if (key?.kind !== 'name' || !value) continue
    yield [key.name, value]
    at += 1
  }
}

export function valuesOf(dict: PdfDict, key: string): PdfValue[] {
  const values: PdfValue[] = []
  for (const [name, value] of entriesOf(dict)) if (name === key) values.push(value)
  return values
}

export const nameOf = (value: PdfValue | undefined): string | null => (value?.kind === 'name' ? value.name : null)
