import type { Decimal } from '@atrium/contract/money/money.ts'
import { parseUnambiguous } from '../foundation/json.ts'
import type { Refused, SignatureReading } from './coverage.ts'
import type { Acknowledgement, ReportedState } from './reported.ts'

/** What adapters do alike with what providers send. */

export const amountShape = /^\d{1,15}(\.\d{1,8})?$/

/** Digits and a point, as they came; anything else is no amount, and equals none. */
export const amountIn = (text: string): Decimal | null => (amountShape.test(text) ? text : null)

/** Three capital letters, as every provider writes a currency. */
export const currencyShape = /^[A-Z]{3}$/
export const digitsShape = /^\d{1,20}$/
/** Names and numbers of a payment as providers write them: nothing that a separator is made of. */
export const nameShape = /^[\w-]{1,100}$/

/** Lengths are counted in characters as people see them. */
export const cut = (text: string, charsMax: number): string => [...text].slice(0, charsMax).join('')

export const textAnswer = (status: number, body: string): Acknowledgement => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
})

/** People write an account with blanks in it. */
export const plainAccount = (text: string): string => text.replace(/\s/g, '')

type Refusal = Extract<SignatureReading, { refused: Refused }>

/** What is not believed is answered so that nobody takes it for received. */
export const refused = (why: Refused, answer?: Acknowledgement): Refusal => ({
  refused: why,
  answer: answer ?? textAnswer(why === 'unreadable' ? 400 : 401, 'REFUSED'),
})

export type Fields = ReadonlyMap<string, string>

/** Fields of a form; null when a name comes twice, since it may mean one thing to them and another to us. */
export function readForm(text: string): Fields | null {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return null
    fields.set(name, value)
  }
  return fields
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Null for anything that is no JSON object, and where a name comes twice. Its numbers are the texts that stood there: see `parseSpelled`. */
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

/** Text as it is, which numbers of a message are too (`readObject`); nothing else is text. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}

/** Their words for what happened, in their spelling; any other is for a person (`unclear`). */
export type Words = Readonly<Record<string, ReportedState>>

export const stateIn = (words: Words, word: string): ReportedState =>
  Object.hasOwn(words, word) ? (words[word] ?? 'unclear') : 'unclear'

export const formBody = (fields: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()

export const formType = { 'content-type': 'application/x-www-form-urlencoded' } as const
