import { texts } from '@atrium/contract/texts.ts'
import type { Member } from '../actor.ts'
import { refuse } from '../errors.ts'
import { type EventStream, makeEventStream } from './event-stream.ts'

/** Tabs per person; hidden tabs hold no stream. */
const streamsPerMemberMax = 8
/** Per process and kind of stream. Excess clients retry later, and the balancer may send them to another process. */
const streamsMax = 5_000
const comeAgainSeconds = 30
/** Another process can take the stream at once. */
const closedRetrySeconds = 2
const keepAliveMs = 15_000

/** An open stream with what was last sent on it. */
export type Watcher<Sent> = { member: Member; stream: EventStream; sent: Sent; sentAt: number }
export type Watchers<Sent> = ReturnType<typeof makeWatchers<Sent>>

/** The open streams of this process. */
export function makeWatchers<Sent>() {
  const watchers = new Set<Watcher<Sent>>()
  let isClosed = false

  function admit(member: Member, sent: Sent): Watcher<Sent> {
    // A request that was proven while the process stops: nobody would end its stream, and the stop would wait for it.
    if (isClosed) refuse('unavailable', texts.requestFailed, { retryAfterSeconds: closedRetrySeconds })
    const own = [...watchers].filter((each) => each.member.memberId === member.memberId).length
    if (own >= streamsPerMemberMax || watchers.size >= streamsMax)
      refuse('too_many_requests', 'Too many live streams are open.', { retryAfterSeconds: comeAgainSeconds })
    const watcher: Watcher<Sent> = { member, stream: makeEventStream(), sent, sentAt: performance.now() }
    watchers.add(watcher)
    watcher.stream.readable.once('close', () => watchers.delete(watcher))
    return watcher
  }

  function end(watcher: Watcher<Sent>, code: string): void {
    watchers.delete(watcher)
    watcher.stream.end('end', { code })
  }

  return {
    admit,
    end,
    count: () => watchers.size,
    /** Ends every stream and admits no other. */
    close(code: string) {
      isClosed = true
      for (const watcher of watchers) end(watcher, code)
    },
    isEmpty: () => watchers.size === 0,
    ofWorkspaces: () => Map.groupBy(watchers, ({ member }) => member.workspaceId),
  }
}

/** False when the reader fell behind and was cut. */
export function sendEvent<Sent>(watcher: Watcher<Sent>, event: string, data: unknown, id?: number): boolean {
  const isSent = watcher.stream.send(event, data, id)
  if (isSent) watcher.sentAt = performance.now()
  return isSent
}

/** Proxies and phones close idle connections. */
export function keepAlive<Sent>(watcher: Watcher<Sent>): void {
  if (performance.now() - watcher.sentAt < keepAliveMs) return
  watcher.stream.keepAlive()
  watcher.sentAt = performance.now()
}
