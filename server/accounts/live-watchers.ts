import type { FiguresEvent, LiveAccount } from '@atrium/contract/live-figures.ts'
import type { Member } from '../foundation/actor.ts'
import { refuse } from '../foundation/errors.ts'
import { type EventStream, makeEventStream } from '../foundation/event-stream.ts'
import type { Watched } from './live-view.ts'

/** Tabs of one person; a hidden one watches nothing. */
const streamsPerMemberMax = 8
/** Of one process. What is over is told to come again, and a balancer sends it elsewhere. */
const streamsMax = 5_000
const comeAgainSeconds = 30
const keepAliveMs = 15_000

export type Watcher = {
  member: Member
  stream: EventStream
  /** What was said last of each account, so that only changes are said. */
  told: Map<string, string>
  saidAt: number
}

/** Who watches, in this process. */
export function makeWatchers() {
  const watchers = new Set<Watcher>()

  function admit(member: Member): Watcher {
    const own = [...watchers].filter((each) => each.member.memberId === member.memberId).length
    if (own >= streamsPerMemberMax || watchers.size >= streamsMax)
      refuse('too_many_requests', 'Too many pages watch already.', { retryAfterSeconds: comeAgainSeconds })
    const watcher: Watcher = { member, stream: makeEventStream(), told: new Map(), saidAt: performance.now() }
    watchers.add(watcher)
    watcher.stream.readable.once('close', () => watchers.delete(watcher))
    return watcher
  }

  function end(watcher: Watcher, code: string): void {
    watchers.delete(watcher)
    watcher.stream.end('end', { code })
  }

  return {
    admit,
    end,
    all: () => [...watchers],
    endAll(code: string) {
      for (const watcher of watchers) end(watcher, code)
    },
    isEmpty: () => watchers.size === 0,
    ofWorkspaces: () => Map.groupBy(watchers, ({ member }) => member.workspaceId),
  }
}

/** Proxies and phones close what is silent. */
export function keepAlive(watcher: Watcher): void {
  if (performance.now() - watcher.saidAt < keepAliveMs) return
  watcher.stream.keepAlive()
  watcher.saidAt = performance.now()
}

/**
 * `isAll`: these are all there are, so what is not among them is gone. `isComing`: the platform is just being asked about
 * these, and what it says follows.
 */
type Manner = { isAll?: boolean; isComing?: (accountId: string) => boolean }

/** Says what changed since it was last said. */
function tell(watcher: Watcher, own: readonly LiveAccount[], { isAll = false, isComing }: Manner): void {
  const accounts = own.filter(
    (account) => !isComing?.(account._id) && watcher.told.get(account._id) !== wordsOf(account),
  )
  const known = new Set(own.map(({ _id }) => _id))
  const gone = isAll ? [...watcher.told.keys()].filter((id) => !known.has(id)) : []
  if (accounts.length === 0 && gone.length === 0) return
  for (const account of accounts) watcher.told.set(account._id, wordsOf(account))
  for (const id of gone) watcher.told.delete(id)
  const event: FiguresEvent = { accounts, gone }
  if (watcher.stream.send('figures', event)) watcher.saidAt = performance.now()
}

/** That a figure was read anew and is the same is nothing to be told of. */
function wordsOf({ balance_as_of: _, ...figures }: LiveAccount): string {
  return JSON.stringify(figures)
}

/** Each watcher is told of accounts of the member that it belongs to, and of no other. */
export function tellOwners(watchers: readonly Watcher[], accounts: readonly Watched[], manner: Manner = {}): void {
  const byOwner = Map.groupBy(accounts, ({ memberId }) => memberId)
  for (const watcher of watchers) {
    const own = byOwner.get(watcher.member.memberId) ?? []
    tell(
      watcher,
      own.map(({ view }) => view),
      manner,
    )
  }
}
