import { apiOrigin } from './address.ts'
import { report } from './log.ts'
import type { SessionStore } from './session-store.ts'

/** Together they reach over the half hour in which a session that nobody uses ends by itself. */
const triesMax = 34
const pauseMsFirst = 2_000
const pauseMsMax = 60_000
const tryMsMax = 10_000

export type Line = {
  /** Answers the status; throws when nothing was answered. */
  send: (order: { path: string; token: string; isFirst: boolean }) => Promise<number>
  /** Until then, or until the network is back. */
  pause: (ms: number) => Promise<void>
}

const browserLine: Line = {
  async send({ path, token, isFirst }) {
    const response = await fetch(`${apiOrigin()}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{}',
      // The answer takes the cookie for files away. By a later try it may be that of the next person here.
      credentials: isFirst ? 'include' : 'omit',
      keepalive: true, // Also when the tab is closed right after.
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

/** Whoever signs in next does so after the last one's cookie is gone. */
export const untilSignedOut = (): Promise<unknown> => firstTry

/**
 * Ends the session on the server while this page already has forgotten it: its token lives on in here alone, and only until
 * the server has answered. Without a network it is tried again, less and less often, for as long as the page is there.
 */
export async function signOutOnServer(session: SessionStore, path: string, line = browserLine): Promise<void> {
  const token = session.read()?.token
  if (token === undefined) return
  const first = isEnded(line, { path, token, isFirst: true })
  firstTry = first
  let isOver = await first
  for (let tries = 1; !isOver && tries < triesMax; tries++) {
    await line.pause(Math.min(pauseMsFirst * 2 ** (tries - 1), pauseMsMax))
    isOver = await isEnded(line, { path, token, isFirst: false })
  }
  if (!isOver) report('sign-out.failed')
}

/** Any answer of the server itself is the end of it; also that the session is over already. */
async function isEnded(line: Line, order: Parameters<Line['send']>[0]): Promise<boolean> {
  try {
    const status = await line.send(order)
    return status < 500 && status !== 408 && status !== 429
  } catch (error) {
    report('sign-out.unanswered', { error: String(error) })
    return false
  }
}
