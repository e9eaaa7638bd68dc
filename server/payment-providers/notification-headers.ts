/** Headers in which providers bring the proof of a notification: by the endings of their names, since a generic provider's are settings. */
const proving = /(^|-)(signature|sign|hmac|digest|checksum|timestamp|nonce|client)$/
/** What tells where a message came from, for people. Cookies and bearers are nobody's business here. */
const telling = ['content-type', 'user-agent', 'x-forwarded-for']

const namesMax = 20
const charsMax = 1_000

export type Headers = Readonly<Record<string, string>>
type Received = Readonly<Record<string, unknown>>

/** What an adapter sees, at the door and again in the job: the same ones, so that both judge alike. */
export const provingHeaders = (received: Received): Headers =>
  pick(received, (name) => name === 'content-type' || proving.test(name))

export const keptHeaders = (received: Received): Headers =>
  pick(received, (name) => telling.includes(name) || proving.test(name))

/** Only the proof itself: the same message under another signature is another message, or a forgery would bar the true one. */
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
