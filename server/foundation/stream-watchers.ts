import type { Member } from './actor.ts'
import { refuse } from './errors.ts'
import { type EventStream, makeEventStream } from './event-stream.ts'

/** Tabs per person; hidden tabs hold no stream. */
const streamsPerMemberMax = 8
/** Per process and kind of stream. Excess clients retry later, and the balancer may send them to another process. */
const streamsMax = 5_000
const comeAgainSeconds = 30
const keepAliveMs = 15_000

/** An open stream with what was last sent on it. */
export type Watcher<Told> = { member: Member; stream: EventStream; told: Told; saidAt: number }
export type Watchers<Told> = ReturnType<typeof makeWatchers<Told>>

/** The open streams of this process. */
export function makeWatchers<Told>() {
  const watchers = new Set<Watcher<Told>>()

  function admit(member: Member, told: Told): Watcher<Told> {
    const own = [...watchers].filter((each) => each.member.memberId === member.memberId).length
    if (own >= streamsPerMemberMax || watchers.size >= streamsMax)
      refuse('too_many_requests', 'Too many pages watch already.', { retryAfterSeconds: comeAgainSeconds })
    const watcher: Watcher<Told> = { member, stream: makeEventStream(), told, saidAt: performance.now() }
    watchers.add(watcher)
    watcher.stream.readable.once('close', () => watchers.delete(watcher))
    return watcher
  }

  function end(watcher: Watcher<Told>, code: string): void {
    watchers.delete(watcher)
    watcher.stream.end('end', { code })
  }

  return {
    admit,
    end,
    count: () => watchers.size,
    endAll(code: string) {
      for (const watcher of watchers) end(watcher, code)
    },
    isEmpty: () => watchers.size === 0,
    ofWorkspaces: () => Map.groupBy(watchers, ({ member }) => member.workspaceId),
  }
}

/** False when the reader fell behind and was cut. */
export function say<Told>(watcher: Watcher<Told>, event: string, data: unknown, id?: number): boolean {
  const isSaid = watcher.stream.send(event, data, id)
  if (isSaid) watcher.saidAt = performance.now()
  return isSaid
}

/** Proxies and phones close idle connections. */
export function keepAlive<Told>(watcher: Watcher<Told>): void {
  if (performance.now() - watcher.saidAt < keepAliveMs) return
  watcher.stream.keepAlive()
  watcher.saidAt = performance.now()
}
