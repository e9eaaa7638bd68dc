import { apiOrigin } from './address.ts'
import { report } from './log.ts'
import type { SessionStore } from './session-store.ts'

/** The retries cover the half hour after which an unused session expires. */
const triesMax = 34
const pauseMsFirst = 2_000
const pauseMsMax = 60_000
const tryMsMax = 10_000

export type SignOutTransport = {
  /** Returns the status; throws without an answer. */
  send: (order: { path: string; token: string; isFirst: boolean }) => Promise<number>
  /** Waits that long, or until the network is back. */
  pause: (ms: number) => Promise<void>
}

const browserTransport: SignOutTransport = {
  async send({ path, token, isFirst }) {
    const response = await fetch(`${apiOrigin()}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{}',
      // The answer clears the file cookie. On a retry the cookie may belong to the next user of this browser.
      credentials: isFirst ? 'include' : 'omit',
      keepalive: true, // Lets the request finish when the tab closes.
      signal: AbortSignal.timeout(tryMsMax),
    })
    return response.status
  },
  pause: (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(go, ms)
      addEventListener('online', go)
      function go() {
        clearTimeout(timer)
        removeEventListener('online', go)
        resolve()
      }
    }),
}

let firstTry: Promise<unknown> = Promise.resolve()

/** Delays the next sign-in until the previous user's cookie is cleared. */
export const untilSignedOut = (): Promise<unknown> => firstTry

/**
 * Ends the session on the server after the page has forgotten it; until the server answers, only this function holds
 * the token. Without a network it retries with growing pauses while the page is open.
 */
export async function signOutOnServer(
  session: SessionStore,
  path: string,
  transport = browserTransport,
): Promise<void> {
  const token = session.read()?.token
  if (token === undefined) return
  const first = isEnded(transport, { path, token, isFirst: true })
  firstTry = first
  let isOver = await first
  for (let tries = 1; !isOver && tries < triesMax; tries++) {
    await transport.pause(Math.min(pauseMsFirst * 2 ** (tries - 1), pauseMsMax))
    isOver = await isEnded(transport, { path, token, isFirst: false })
  }
  if (!isOver) report('sign-out.failed')
}

/** Any answer from the server itself ends the session, including that it had already ended. */
async function isEnded(transport: SignOutTransport, order: Parameters<SignOutTransport['send']>[0]): Promise<boolean> {
  try {
    const status = await transport.send(order)
    return status < 500 && status !== 408 && status !== 429
  } catch (error) {
    report('sign-out.unanswered', { error: String(error) })
    return false
  }
}
