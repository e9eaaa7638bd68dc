/**
 * Headers that carry a signature, matched by the end of their names, because a generic provider's names are settings.
 */
const proving = /(^|-)(signature|sign|hmac|digest|checksum|timestamp|nonce|client)$/
/** Headers that show staff the origin of a message. Cookies and bearer tokens are never stored. */
const originHeaders = ['content-type', 'user-agent', 'x-forwarded-for']

const namesMax = 20
const charsMax = 1_000

export type Headers = Readonly<Record<string, string>>
type Received = Readonly<Record<string, unknown>>

/** The headers that an adapter receives, the same in the route and in the job, so that both judge alike. */
export const provingHeaders = (received: Received): Headers =>
  pick(received, (name) => name === 'content-type' || proving.test(name))

export const storedHeaders = (received: Received): Headers =>
  pick(received, (name) => originHeaders.includes(name) || proving.test(name))

/**
 * Only the signature headers: the same body with another signature is a different message, or a forgery would block the
 * genuine one.
 */
export const proofOf = (headers: Headers): string =>
  JSON.stringify(
    Object.entries(headers)
      .filter(([name]) => proving.test(name) && !name.endsWith('timestamp'))
      .sort(),
  )

function pick(received: Received, isWanted: (name: string) => boolean): Headers {
  const wanted = Object.entries(received).filter(([name, value]) => isWanted(name) && typeof value === 'string')
  return Object.fromEntries(wanted.slice(0, namesMax).map(([name, value]) => [name, String(value).slice(0, charsMax)]))
}
