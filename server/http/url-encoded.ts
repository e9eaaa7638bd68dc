import type { Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isNamed } from '../files/spool.ts'
import type { Context } from '../foundation/context.ts'
import { Refusal, refuse } from '../foundation/errors.ts'
import { type FormFields, formUnreadable } from '../foundation/form-fields.ts'
import { isApiHost } from '../workspaces/address.ts'
import { findAddresses } from '../workspaces/addresses.ts'

const fieldsMax = 1_000
const charsMax = 256 * 1024

/** A URL-encoded body, in a type of its own, since only a call that reads it knows its meaning. */
export class UrlEncoded {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function takeUrlEncoded(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text: string, done: (problem: null, body: UrlEncoded) => void) => done(null, new UrlEncoded(text)),
  )
}

export function fieldsOf({ text }: UrlEncoded): FormFields {
  const pairs = text.split('&', fieldsMax + 1).filter((pair) => pair !== '')
  if (pairs.length > fieldsMax) refuse('too_large', 'This is larger than allowed.')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [decode(name), decode(value.join('='))]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse('malformed', formUnreadable)
  }
}

/** Reads the fields of a multipart form for a call that takes no files. */
export async function readFields(request: FastifyRequest): Promise<FormFields> {
  const fields: (readonly [string, string])[] = []
  let charsLeft = charsMax
  for await (const part of partsOf(request)) {
    if (part.type !== 'field') refuse('unsupported_type', 'This kind of content is not accepted.')
    const value = String(part.value)
    charsLeft -= value.length
    if (charsLeft < 0) refuse('too_large', 'This is larger than allowed.')
    fields.push([part.fieldname, value])
  }
  return fields
}

async function* partsOf(request: FastifyRequest): AsyncIterable<Multipart> {
  const limits = { fields: fieldsMax, fieldNameSize: 200, fieldSize: charsMax, files: 1, fileSize: 1, headerPairs: 50 }
  try {
    for await (const part of request.parts({ limits: { ...limits, parts: fieldsMax + 1 } })) {
      if (!isNamed(part)) refuse('malformed', formUnreadable)
      yield part
    }
  } catch (problem) {
    if (problem instanceof Refusal) throw problem
    refuse('malformed', formUnreadable)
  }
}

/**
 * CSRF protection: any page can submit a form without a preflight. A form without a bearer token, which a foreign page cannot send,
 * must come from the brokerage's own pages.
 */
export async function refuseForeignForm(context: Context, { headers }: FastifyRequest): Promise<void> {
  if (headers.authorization !== undefined) return
  const site = headers['sec-fetch-site']
  const from = headers.origin ?? headers.referer
  const isOwn =
    from === undefined ? [undefined, 'same-origin', 'none'].includes(site?.toString()) : await isOwnPage(from)
  if (!isOwn) refuse('unsupported_type', 'This kind of content is not accepted.')

  async function isOwnPage(address: string): Promise<boolean> {
    if (!URL.canParse(address)) return false
    const { host, origin, protocol } = new URL(address)
    const { config } = context
    if (config.production && protocol !== 'https:') return false
    if (isApiHost(config, headers.host)) return (await findAddresses(context, headers.host))?.portal === origin
    return host === headers.host?.toLowerCase()
  }
}
