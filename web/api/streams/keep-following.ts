import { ApiError } from '../api-error.ts'
import { isEnd } from '../first-calls.ts'
import { hasSession } from '../transport.ts'
import { followEvents, type StreamEvent } from './events.ts'
import { followed } from './followed.ts'

type Options = {
  path: string
  onEvent: (event: StreamEvent) => void
  /** Called when a connection attempt starts. */
  onOpen?: () => void
  /** The connection ended: `disconnected` closed here while healthy, `lost` broke at an unknown time. */
  onGone?: (how: 'disconnected' | 'lost') => void
}

/**
 * Follows a stream of events while the page is visible, and reconnects after a lost connection, resuming after the last
 * event received. Returns a function that stops it.
 */
export function keepFollowing({ path, onEvent, onOpen, onGone }: Options): () => void {
  let line: AbortController | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let lastId: string | undefined

  const handle = (event: StreamEvent) => {
    failures = 0
    followed.add(path)
    onEvent(event)
    // Recorded after handling, so that an event whose handler threw is sent again.
    lastId = event.id ?? lastId
  }
  const disconnect = () => {
    clearTimeout(again)
    const wasOpen = line !== null
    line?.abort()
    line = null
    followed.delete(path)
    if (wasOpen) onGone?.('disconnected')
  }
  const connect = async () => {
    // After a sign-out the page may stay for a while until the next one has loaded.
    if (document.hidden || line || !hasSession()) return
    const own = new AbortController()
    line = own
    clearTimeout(again)
    onOpen?.()
    const ending: Ending = { error: null, ended: null }
    const receive = (event: StreamEvent) => {
      if (event.name === 'end') ending.ended = isEnd(event.data) ? event.data.code : null
      else handle(event)
    }
    try {
      await followEvents(path, { signal: own.signal, onEvent: receive, lastId })
    } catch (thrown) {
      ending.error = thrown
    }
    if (own.signal.aborted) return
    line = null
    followed.delete(path)
    onGone?.('lost')
    again = setTimeout(connect, pauseAfter(failures, ending))
    failures += 1
  }
  const sync = () => (document.hidden ? disconnect() : connect())
  document.addEventListener('visibilitychange', sync)
  addEventListener('online', sync)
  connect()
  return () => {
    document.removeEventListener('visibilitychange', sync)
    removeEventListener('online', sync)
    disconnect()
  }
}

const firstPauseMs = 1_000
const pauseMaxMs = 30_000
/** The member has no access for now; access may return. */
const closedPauseMs = 60_000
/** The thrown error, or the code that the server ended with; both are null after a broken connection. */
type Ending = { error: unknown; ended: string | null }

/** Exponential backoff with jitter, so that clients do not reconnect in step. */
export function pauseAfter(failures: number, { error, ended }: Ending, random = Math.random()): number {
  const retryAfter = error instanceof ApiError ? error.retryAfterSeconds : null
  if (retryAfter !== null) return retryAfter * 1_000 * (1 + random / 2)
  // The next call after a sign-out reports it.
  if (ended === 'unauthenticated') return 0
  const isClosed = error instanceof ApiError ? !error.isPassing : ended !== null && ended !== 'unavailable'
  const pauseMs = isClosed ? closedPauseMs : Math.min(firstPauseMs * 2 ** failures, pauseMaxMs)
  return pauseMs * (0.5 + random / 2)
}
