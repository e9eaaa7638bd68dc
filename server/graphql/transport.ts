import type { FastifyRequest } from 'fastify'
import { type DocumentNode, Kind, print } from 'graphql'
import type { RequestParams } from 'graphql-http'
import { keepRecent } from '../foundation/database/recent.ts'
import { parseShallow, parseSpelled, rememberNumberTexts, spelledFields } from '../foundation/json.ts'
import { graphLimits } from './limits.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** A malformed request; the message is for developers of clients. */
export class BadTransport extends Error {}

/**
 * A query in a URL or a form: `q` and `v` are base64 or base64url of UTF-8 text, with or without padding; `query`,
 * `variables` and `operationName` are text, by the GraphQL over HTTP specification.
 */
export function readFields({ q, v, query, variables, operationName }: Record<string, unknown>): RequestParams {
  if (q === undefined && query === undefined) throw new BadTransport('Missing q')
  const text = q === undefined ? textOf('query', query) : decodeDocument(q)
  const json = v === undefined ? variables : decode('v', v, graphLimits.variablesBytes)
  return {
    query: text,
    ...(json !== undefined && json !== '' && { variables: readVariables(textOf('variables', json)) }),
    ...(operationName !== undefined && { operationName: textOf('operationName', operationName) }),
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new BadTransport(`${name} must be given once`)
  return value
}

/** A posted form; authentication needs a bearer token, so a form of a foreign page gains nothing. */
export function readPostedForm(text: string): RequestParams {
  const fields = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(text)) fields.set(name, fields.has(name) ? [value] : value)
  return readFields(Object.fromEntries(fields))
}

export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Parses a posted body here, so that amounts among the variables keep their digits; returns nothing parsable for invalid JSON. */
export function readPosted(text: string): string | Record<string, unknown> {
  let value: unknown
  try {
    value = parseShallow(text)
  } catch {
    return ''
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text
  const posted = value as Record<string, unknown>
  rememberNumberTexts(posted.variables, () => (parseSpelled(text) as Record<string, unknown>).variables)
  const { q, v, ...others } = posted
  if (q === undefined || posted.query !== undefined) return posted
  const variables = v === undefined ? posted.variables : readVariables(decode('v', v, graphLimits.variablesBytes))
  return { ...others, query: decode('q', q, graphLimits.textBytes), variables }
}

/** The variables of a document that are amounts. */
const amountsOf = new WeakMap<DocumentNode, string[]>()

function amountVariables(document: DocumentNode): string[] {
  const known = amountsOf.get(document)
  if (known) return known
  const amounts = document.definitions
    .flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? (node.variableDefinitions ?? []) : []))
    .filter(({ type }) => ['Money', 'Money!'].includes(print(type)))
    .map(({ variable }) => variable.name.value)
  amountsOf.set(document, amounts)
  return amounts
}

/** The variables with each amount as it was written: a number that passed through a float could differ. */
export function spellAmounts(document: DocumentNode, variables: Record<string, unknown>): Record<string, unknown> {
  return { ...variables, ...spelledFields(variables, amountVariables(document)) }
}

/** Documents by their base64, since browsers send the same dozen repeatedly. Longer ones are decoded every time. */
const decoded = keepRecent<string>(300)
const rememberedCharsMax = 8_000

function decodeDocument(value: unknown): string {
  const known = typeof value === 'string' ? decoded.find(value) : undefined
  if (known !== undefined) return known
  const text = decode('q', value, graphLimits.textBytes)
  if (typeof value === 'string' && value.length <= rememberedCharsMax) decoded.keep(value, text)
  return text
}

function decode(name: string, value: unknown, bytesMax: number): string {
  if (typeof value !== 'string') throw new BadTransport(`${name} must be given once`)
  if (value.length > Math.ceil(bytesMax / 3) * 4) throw new BadTransport(`${name} is too long`)
  // An unescaped plus sign of plain base64 arrives as a space.
  const base64Text = value.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/')
  if (base64Text === '' || !base64.test(base64Text) || base64Text.replace(/(?<!=)=+$/, '').length % 4 === 1) {
    throw new BadTransport(`${name} is not base64`)
  }
  try {
    return strictUtf8.decode(Buffer.from(base64Text, 'base64'))
  } catch {
    throw new BadTransport(`${name} is not UTF-8`)
  }
}

function readVariables(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseShallow(text)
  } catch {
    throw new BadTransport('The variables are not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadTransport('The variables must be an object')
  rememberNumberTexts(value, () => parseSpelled(text))
  return value as Record<string, unknown>
}
