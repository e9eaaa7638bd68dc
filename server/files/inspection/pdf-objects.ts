import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { type FileBytes, find, windowBytes } from '../file-bytes.ts'
import {
  entriesOf,
  nameOf,
  PdfCutShort,
  type PdfDict,
  PdfSyntax,
  PdfTangled,
  PdfUnreadable,
  type PdfValue,
  valuesOf,
} from './pdf-syntax.ts'

export type PdfVisitor = {
  /** Called for everything that a reader may take for an object, with its number if known. */
  object(value: PdfValue, number: number | null): void
  /** Called for what stands outside objects and streams, in order. Valid during the call. */
  between(bytes: Buffer): void
}

/** A large table in one object has some hundreds of kilobytes. */
const valueBytesMax = 2_000_000
const packedBytesMax = 8_000_000
const unpackedBytesMax = { each: 16_000_000, all: 64_000_000 }
/** Reading may process this multiple of the file's size plus a constant, so that nested objects cannot keep it busy for ever. */
const effort = { times: 8, bytes: 8_000_000 }
/** A file of 20 MB made of the shortest possible objects has some 300,000. */
const objectsMax = 400_000

const endOfStream = Buffer.from('endstream')

/**
 * Visits every object of a file. Trusts neither the file's own table of objects nor the file's order alone: a table can point into a
 * stream or a string, so everything after an "obj" is read wherever it appears.
 */
export async function walkPdf(bytes: FileBytes, span: { from: number; to: number }, visit: PdfVisitor): Promise<void> {
  const read = (at: number, length: number) => bytes.read(at, Math.max(0, Math.min(length, span.to - at)))
  const walk = new PdfWalk({ sizeBytes: span.to, read }, visit)
  await walk.inOrder(span.from)
  await walk.anywhere(span.from)
}

type Pack = { dict: PdfDict; bodyAt: number }
type Window = { readTo: number; packs: Pack[]; isInStream: boolean }

class PdfWalk {
  readonly #bytes: FileBytes
  readonly #visit: PdfVisitor
  /** Start positions of the objects found in file order. */
  readonly #met = new Set<number>()
  #effortLeft: number
  #unpackedLeft = unpackedBytesMax.all
  #objectsLeft = objectsMax

  constructor(bytes: FileBytes, visit: PdfVisitor) {
    this.#bytes = bytes
    this.#visit = visit
    this.#effortLeft = bytes.sizeBytes * effort.times + effort.bytes
  }

  async inOrder(from: number): Promise<void> {
    let length = windowBytes
    for (let at = from; at < this.#bytes.sizeBytes; ) {
      const content = await this.#bytes.read(at, length)
      const { readTo, packs, isInStream } = this.#readWindow(content, at)
      this.#spend(readTo || content.length)
      length = readTo > 0 ? windowBytes : growing(length)
      at += readTo
      if (isInStream) {
        const end = await find(this.#bytes, endOfStream, at)
        at = end === -1 ? this.#bytes.sizeBytes : end + endOfStream.length
      }
      for (const pack of packs) await this.#openPack(pack)
    }
  }

  async anywhere(from: number): Promise<void> {
    const mark = /(?<!end)obj|trailer/g
    for (let at = from; at < this.#bytes.sizeBytes; at += windowBytes - 64) {
      const content = await this.#bytes.read(at, windowBytes)
      if (!hasWord(content, 'obj') && !hasWord(content, 'trailer')) continue
      const text = content.toString('latin1')
      for (const match of text.matchAll(mark)) {
        const valueAt = at + match.index + match[0].length
        if (this.#met.has(valueAt)) continue
        this.#met.add(valueAt)
        await this.#readAlone(valueAt, numberBefore(text.slice(Math.max(0, match.index - 64), match.index)))
      }
    }
  }

  #meet(value: PdfValue, number: number | null): void {
    this.#objectsLeft -= 1
    if (this.#objectsLeft < 0) throw new PdfTangled()
    this.#visit.object(value, number)
  }

  #spend(bytes: number): void {
    this.#effortLeft -= bytes
    if (this.#effortLeft < 0) throw new PdfTangled()
  }

  /** Reads the complete values of the window; the next window begins at the last incomplete one. */
  #readWindow(content: Buffer, base: number): Window {
    const isLast = base + content.length >= this.#bytes.sizeBytes
    const syntax = new PdfSyntax(content, 0, isLast)
    const packs: Pack[] = []
    let numbers: { at: number; number: number }[] = []
    let textFrom = 0
    let objectAt: number | null = null
    const end = (readTo: number, isInStream = false): Window => {
      if (!isInStream) this.#visit.between(content.subarray(textFrom, readTo))
      return { readTo, packs, isInStream }
    }
    try {
      for (let value = syntax.readTop(); value; value = syntax.readTop()) {
        if (value.kind === 'number') {
          numbers = [...numbers.slice(-1), { at: syntax.start, number: value.number }]
          continue
        }
        if (value.kind === 'word' && (value.word === 'obj' || value.word === 'trailer')) {
          const valueAt = syntax.at
          objectAt = numbers[0]?.at ?? syntax.start
          const object = syntax.readTop()
          const bodyAt = object?.kind === 'dict' ? bodyBehind(syntax, content) : null
          this.#met.add(base + valueAt)
          if (object) this.#meet(object, numbers.length === 2 ? (numbers[0]?.number ?? null) : null)
          this.#visit.between(content.subarray(textFrom, valueAt))
          textFrom = syntax.at
          if (bodyAt !== null) {
            if (object?.kind === 'dict' && isPack(object)) packs.push({ dict: object, bodyAt: base + bodyAt })
            const bodyEnd = content.indexOf(endOfStream, bodyAt)
            if (bodyEnd === -1) return end(bodyAt, true)
            syntax.at = bodyEnd + endOfStream.length
            textFrom = syntax.at
          }
        } else if (value.kind !== 'word') this.#meet(value, null)
        numbers = []
        objectAt = null
      }
      return end(content.length)
    } catch (problem) {
      if (!(problem instanceof PdfCutShort)) throw problem
      return end(objectAt ?? numbers[0]?.at ?? syntax.start)
    }
  }

  async #readAlone(at: number, number: number | null): Promise<void> {
    for (let length = 4_096; ; length = growing(length)) {
      const content = await this.#bytes.read(at, length)
      const syntax = new PdfSyntax(content, 0, at + content.length >= this.#bytes.sizeBytes)
      try {
        const value = syntax.readTop()
        const bodyAt = value?.kind === 'dict' ? bodyBehind(syntax, content) : null
        this.#spend(syntax.at)
        if (value) this.#meet(value, number)
        if (bodyAt !== null && value?.kind === 'dict' && isPack(value))
          await this.#openPack({ dict: value, bodyAt: at + bodyAt })
        return
      } catch (problem) {
        if (!(problem instanceof PdfCutShort)) throw problem
        this.#spend(content.length)
      }
    }
  }

  /** Reads the objects of an object stream (ISO 32000, 7.5.7), each at the offset given in the stream's header. */
  async #openPack(pack: Pack): Promise<void> {
    const content = await this.#unpack(pack)
    this.#unpackedLeft -= content.length
    if (this.#unpackedLeft < 0) throw new PdfTangled()
    const first = valuesOf(pack.dict, 'First')[0]
    if (first?.kind !== 'number') throw new PdfUnreadable()
    const head = new PdfSyntax(content, 0, true)
    const starts = new Map<number, number>()
    for (;;) {
      const [number, offset] = [head.readTop(), head.readTop()]
      if (number?.kind !== 'number' || offset?.kind !== 'number') break
      starts.set(first.number + offset.number, number.number)
    }
    for (const [at, number] of starts) {
      if (!(at >= 0 && at <= content.length)) throw new PdfUnreadable()
      const syntax = new PdfSyntax(content, at, true)
      const value = syntax.readTop()
      this.#spend(syntax.at - at)
      if (value) this.#meet(value, number)
    }
  }

  /**
   * The stream ends at the first end mark or at its given length, whichever is later. Compressed data marks its own end, so all of it
   * may be tried; for other data whose length is in another object, it is unknown how much a reader takes.
   */
  async #unpack({ dict, bodyAt }: Pack): Promise<Buffer> {
    const end = await find(this.#bytes, endOfStream, bodyAt)
    const said = valuesOf(dict, 'Length').flatMap((value) => (value.kind === 'number' ? [value.number] : []))
    const length = Math.max((end === -1 ? this.#bytes.sizeBytes : end) - bodyAt, ...said)
    const [first, ...others] = filtersOf(dict)
    let content: Buffer
    if (first === 'FlateDecode')
      content =
        (await unpackFlate(await this.#readBody(bodyAt, length))) ??
        (await unpackFlate(await this.#readBody(bodyAt, packedBytesMax))) ??
        refuseUnreadable()
    else if (said.length === 0) throw new PdfUnreadable()
    else content = await applyFilter(first, await this.#readBody(bodyAt, length))
    for (const filter of others) content = await applyFilter(filter, content)
    return content
  }

  async #readBody(at: number, length: number): Promise<Buffer> {
    const content = Buffer.from(await this.#bytes.read(at, Math.min(length, packedBytesMax)))
    this.#spend(content.length)
    return content
  }
}

/**
 * The search stops at each first letter, which is frequent in text, so the rest of the word is searched for first. Most random windows
 * have two given letters, and few have three.
 */
const hasWord = (content: Buffer, word: string): boolean => content.includes(word.slice(1)) && content.includes(word)

function growing(length: number): number {
  if (length >= valueBytesMax) throw new PdfTangled()
  return Math.min(length * 8, valueBytesMax)
}

/** The position of the stream's bytes if the value is a stream dictionary; moves the syntax past the keyword. */
function bodyBehind(syntax: PdfSyntax, content: Buffer): number | null {
  const valueEnd = syntax.at
  const word = syntax.readTop()
  if (word?.kind !== 'word' || word.word !== 'stream') {
    syntax.at = valueEnd
    return null
  }
  const isReturn = content[syntax.at] === 13
  const isLine = content[syntax.at + (isReturn ? 1 : 0)] === 10
  return syntax.at + (isReturn ? 1 : 0) + (isLine ? 1 : 0)
}

const numberBefore = (text: string): number | null => {
  const found = /(\d{1,10})[\s\0]+\d{1,10}[\s\0]*$/.exec(text)
  return found ? Number(found[1]) : null
}

/** By the keys that readers need: not all of them check the type. */
function isPack(dict: PdfDict): boolean {
  for (const [key, value] of entriesOf(dict))
    if (key === 'First' || (key === 'Type' && nameOf(value) === 'ObjStm')) return true
  return false
}

const shortNames: Record<string, string> = { Fl: 'FlateDecode', AHx: 'ASCIIHexDecode', A85: 'ASCII85Decode' }

function filtersOf(dict: PdfDict): string[] {
  const parameters = [...valuesOf(dict, 'DecodeParms'), ...valuesOf(dict, 'DP')]
  if (!parameters.every(isUsual)) throw new PdfUnreadable()
  const said = [...valuesOf(dict, 'Filter'), ...valuesOf(dict, 'F')]
  if (said.length > 1) throw new PdfUnreadable()
  return said
    .flatMap((value) => (value.kind === 'list' ? value.items : [value]))
    .map((value) => nameOf(value) ?? refuseUnreadable())
    .map((name) => shortNames[name] ?? name)
}

/** Without parameters that change how the data is decoded, since object streams need no predictor. */
function isUsual(value: PdfValue): boolean {
  if (value.kind === 'list') return value.items.every(isUsual)
  if (value.kind === 'dict')
    return valuesOf(value, 'Predictor').every((item) => item.kind === 'number' && item.number <= 1)
  return value.kind === 'word'
}

function refuseUnreadable(): never {
  throw new PdfUnreadable()
}

async function applyFilter(name: string | undefined, content: Buffer): Promise<Buffer> {
  if (name === undefined) return content
  if (name === 'FlateDecode') return (await unpackFlate(content)) ?? refuseUnreadable()
  if (name === 'ASCIIHexDecode') return fromHex(content)
  if (name === 'ASCII85Decode') return fromAscii85(content)
  return refuseUnreadable()
}

const unzip = promisify(inflate)

/** Null if the data is truncated or invalid. */
async function unpackFlate(content: Buffer): Promise<Buffer | null> {
  const start = content.findIndex((byte) => byte !== 10 && byte !== 13 && byte !== 32)
  try {
    return await unzip(content.subarray(Math.max(0, start)), { maxOutputLength: unpackedBytesMax.each })
  } catch (problem) {
    if (problem instanceof RangeError) throw new PdfTangled()
    return null
  }
}

function fromHex(content: Buffer): Buffer {
  const digits =
    content
      .toString('latin1')
      .split('>')[0]
      ?.replace(/[^0-9a-f]/gi, '') ?? ''
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
}

function fromAscii85(content: Buffer): Buffer {
  const text = (content.toString('latin1').split('~>')[0] ?? '').replace(/[\s\0]/g, '').replaceAll('z', '!!!!!')
  if (/[^!-u]/.test(text)) throw new PdfUnreadable()
  const groups = text.match(/.{1,5}/g) ?? []
  return Buffer.concat(
    groups.map((group) => {
      const sum = [...group.padEnd(5, 'u')].reduce((total, mark) => total * 85 + mark.charCodeAt(0) - 33, 0)
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(sum % 2 ** 32)
      return bytes.subarray(0, group.length - 1)
    }),
  )
}
