import type { Decimal } from '@atrium/contract/money/money.ts'
import { parseUnambiguous, withoutMark } from '../foundation/json.ts'
import type { Refused, SignatureReading } from './coverage.ts'
import type { Acknowledgement, ReportedState } from './status-report.ts'

/** Shared parsing of provider messages. */

export const amountShape = /^\d{1,15}(\.\d{1,8})?$/

/** Digits and a decimal point, unchanged; null for anything else. */
export const amountIn = (text: string): Decimal | null => (amountShape.test(text) ? text : null)

/** Three capital letters, as every provider writes a currency. */
export const currencyShape = /^[A-Z]{3}$/
export const digitsShape = /^\d{1,20}$/
/** Payment ids and references of providers, without any character used as a separator. */
export const nameShape = /^[\w-]{1,100}$/

/** Without what the database refuses: NUL, and half of a character that the provider cut in two. */
const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

/** Counts characters and not UTF-16 units. */
export const cut = (text: string, charsMax: number): string => [...storable(text)].slice(0, charsMax).join('')

export const textAnswer = (status: number, body: string): Acknowledgement => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
})

/** Members enter account numbers with blanks. */
export const withoutSpaces = (text: string): string => text.replace(/\s/g, '')

/**
 * A refusal that is final. Of the other 4xx, a time-out, a conflict, a too early request and a closed connection do not
 * say that nothing was executed.
 */
export const isFinalRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 409, 425, 429, 499].includes(status)

type Refusal = Extract<SignatureReading, { refused: Refused }>

/** Answers a refused message so that the sender does not take it as received. */
export const refused = (why: Refused, answer?: Acknowledgement): Refusal => ({
  refused: why,
  answer: answer ?? textAnswer(why === 'unreadable' ? 400 : 401, 'REFUSED'),
})

export type Fields = ReadonlyMap<string, string>

/** Begins at the first of several line ends only: from each of them, a search takes quadratic time, and anybody can send many. */
const lineEnd = /(?<![\r\n])[\r\n]+$/

/** A form without the byte order mark, which would become part of its first name, and the line end that some programs write. */
export const formOf = (text: string): URLSearchParams => new URLSearchParams(withoutMark(text).replace(lineEnd, ''))

/** The fields of a form; null when a name occurs twice, because they may read the other value. */
export function readForm(text: string): Fields | null {
  const fields = new Map<string, string>()
  for (const [name, value] of formOf(text)) {
    if (fields.has(name)) return null
    fields.set(name, value)
  }
  return fields
}

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Null for anything but a JSON object, and when a name occurs twice. Numbers are returned as their source text: see
 * `parseSpelled`.
 */
export function readObject(text: string): JsonObject | null {
  try {
    const value = parseUnambiguous(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a value; numbers of a message are already text (`readObject`). Other types give an empty text. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}

/** Their exact status words mapped to our states; any other is `unclear` and goes to manual review. */
export type StatusMap = Readonly<Record<string, ReportedState>>

export const stateIn = (states: StatusMap, word: string): ReportedState =>
  Object.hasOwn(states, word) ? (states[word] ?? 'unclear') : 'unclear'

export const formBody = (fields: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()

export const formType = { 'content-type': 'application/x-www-form-urlencoded' } as const
