import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Member } from '../actor.ts'
import { refuse } from '../errors.ts'
import { type EventStream, makeEventStream } from './event-stream.ts'

/** Tabs per person; hidden tabs hold no stream. */
const streamsPerMemberMax = 8
/**
 * Per process and kind of stream. When all are taken, the brokerage with the most gives one up for a brokerage with
 * fewer, so that none can use up all of them. A client without a stream tries again later, and the balancer may send it
 * to another process; until then its page shows the time of its values.
 */
const streamsOfProcessMax = 5_000
const comeAgainSeconds = 30
/** Another process can take the stream at once. */
const closedRetrySeconds = 2
const keepAliveMs = 15_000

/** An open stream with what was last sent on it. */
export type Watcher<Sent> = { member: Member; stream: EventStream; sent: Sent; sentAt: number }
export type Watchers<Sent> = ReturnType<typeof makeWatchers<Sent>>

/** The open streams of this process. */
export function makeWatchers<Sent>({ streamsMax = streamsOfProcessMax } = {}) {
  const watchers = new Set<Watcher<Sent>>()
  const byWorkspace = new Map<string, Set<Watcher<Sent>>>()
  let isClosed = false

  function admit(member: Member, sent: Sent): Watcher<Sent> {
    // A request that was proven while the process stops: nobody would end its stream, and the stop would wait for it.
    if (isClosed) refuse('unavailable', texts.requestFailed, { retryAfterSeconds: closedRetrySeconds })
    const { workspaceId, memberId } = member
    const ofWorkspace = byWorkspace.get(workspaceId) ?? new Set()
    const own = [...ofWorkspace].filter((each) => each.member.memberId === memberId).length
    if (own >= streamsPerMemberMax) refuseFull()
    if (watchers.size >= streamsMax) makeRoom(ofWorkspace.size)
    const watcher: Watcher<Sent> = { member, stream: makeEventStream(), sent, sentAt: performance.now() }
    watchers.add(watcher)
    byWorkspace.set(workspaceId, ofWorkspace.add(watcher))
    watcher.stream.readable.once('close', () => remove(watcher))
    return watcher
  }

  /** Ends the newest stream of the brokerage with the most, unless the newcomer's would then have as many. */
  function makeRoom(own: number): void {
    const largest = [...byWorkspace.values()].reduce((most, each) => (each.size > most.size ? each : most))
    const newest = [...largest].at(-1)
    if (!newest || largest.size <= own + 1) refuseFull()
    end(newest, 'too_many_requests')
  }

  function remove(watcher: Watcher<Sent>): void {
    const { workspaceId } = watcher.member
    watchers.delete(watcher)
    const left = byWorkspace.get(workspaceId)
    left?.delete(watcher)
    if (left?.size === 0) byWorkspace.delete(workspaceId)
  }

  function end(watcher: Watcher<Sent>, code: string): void {
    remove(watcher)
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
    ofWorkspaces: () => new Map([...byWorkspace].map(([workspaceId, own]) => [workspaceId, [...own]])),
  }
}

function refuseFull(): never {
  return refuse('too_many_requests', sessionTexts.tooManyStreams, { retryAfterSeconds: comeAgainSeconds })
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
