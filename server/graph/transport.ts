import type { FastifyRequest } from 'fastify'
import type { RequestParams } from 'graphql-http'
import { graphLimits } from './limits.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** What is wrong with how a query was sent; the words are for whoever writes a client. */
export class BadTransport extends Error {}

/** `q` and `v` of an address: base64 or base64url, with or without padding, of UTF-8 text. */
export function readAddress(request: FastifyRequest): RequestParams {
  const { q, v } = request.query as Record<string, unknown>
  if (q === undefined) throw new BadTransport('Missing q')
  const query = decode('q', q, graphLimits.textBytes)
  if (v === undefined) return { query }
  return { query, variables: readVariables(decode('v', v, graphLimits.variablesBytes)) }
}

function decode(name: string, value: unknown, bytesMax: number): string {
  if (typeof value !== 'string') throw new BadTransport(`${name} must be given once`)
  if (value.length > Math.ceil(bytesMax / 3) * 4) throw new BadTransport(`${name} is too long`)
  // An unescaped plus sign of plain base64 arrives as a space.
  const plain = value.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/')
  if (plain === '' || !base64.test(plain) || plain.replace(/=+$/, '').length % 4 === 1) {
    throw new BadTransport(`${name} is not base64`)
  }
  try {
    return strictUtf8.decode(Buffer.from(plain, 'base64'))
  } catch {
    throw new BadTransport(`${name} is not UTF-8`)
  }
}

function readVariables(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadTransport('v is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadTransport('v must be an object')
  return value as Record<string, unknown>
}
