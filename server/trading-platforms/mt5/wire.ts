import { parseSpelled } from '../../foundation/json.ts'
import { storableText } from '../platform-values.ts'
import { protocolError } from '../refusals.ts'

/** An answer of the platform: the code, its text for logs, and the content. */
export type Mt5Answer = { code: number; words: string; answer: unknown; record: Mt5Record }

/** A backslash before `=`, `|`, `\` and line feed, then percent-encoding. A space is `%20`: `+` is not documented. */
export function encodeQuery(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.replace(/[=|\\\n]/g, '\\$&'))}`)
    .join('&')
}

/** Personal texts without the characters that the platform requires escaped, on one line. */
export function sanitizeText(text: string): string {
  return text.replace(/[=|\\\p{Cc}]/gu, ' ').trim()
}

export function parseAnswer(text: string): Mt5Answer {
  const whole = parseLossless(text)
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) throw protocolError()
  const record = new Mt5Record(whole)
  const parts = /^\s*(\d{1,6})\b\s*(.*)$/s.exec(record.text('retcode'))
  if (parts === null) throw protocolError()
  const words = (parts[2] ?? '').replace(/[^\w .,'-]/g, '').slice(0, 60)
  return { code: Number(parts[1]), words, answer: record.value('answer'), record }
}

/** Some builds send numbers as JSON numbers. Their digits stay text, because tickets exceed a JavaScript number. */
function parseLossless(text: string): unknown {
  try {
    return parseSpelled(text)
  } catch {
    // The parser's message quotes the response, which may hold personal data.
    throw protocolError()
  }
}

/** A record of the platform. Field names ignore case, since builds differ in it (`Total`, `total`). */
export class Mt5Record {
  readonly #fields: ReadonlyMap<string, unknown>

  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw protocolError()
    this.#fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
  }

  value(name: string): unknown {
    return this.#fields.get(name.toLowerCase())
  }

  has(name: string): boolean {
    return this.text(name) !== ''
  }

  text(name: string): string {
    const value = this.value(name)
    return typeof value === 'string' ? storableText(value) : ''
  }

  /** A 64-bit number as text. */
  id(name: string): string {
    const text = this.text(name)
    if (!/^\d{1,20}$/.test(text)) throw protocolError()
    return text
  }

  idOrNull(name: string): string | null {
    const text = this.text(name)
    return text === '' || /^0+$/.test(text) ? null : this.id(name)
  }

  decimal(name: string): string {
    const text = this.text(name)
    if (!/^-?\d{1,20}(\.\d{1,12})?$/.test(text)) throw protocolError()
    return text
  }

  decimalOr(name: string, otherwise: string): string {
    return this.has(name) ? this.decimal(name) : otherwise
  }

  integer(name: string): number {
    const text = this.text(name)
    if (!/^-?\d{1,15}$/.test(text)) throw protocolError()
    return Number(text)
  }
}

export function readRecords(answer: Mt5Answer): Mt5Record[] {
  // An empty list may come as an empty array, as code 1, or (handled by the caller) as code 13.
  if (answer.answer === undefined || answer.answer === null) return []
  if (!Array.isArray(answer.answer)) throw protocolError()
  return answer.answer.map((one) => new Mt5Record(one))
}
