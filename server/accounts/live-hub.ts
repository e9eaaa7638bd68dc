import type { Readable } from 'node:stream'
import type { LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import { authorize, type Member, type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { makeWatchers } from '../foundation/streams/stream-watchers.ts'
import { describeProblem } from '../observability/log.ts'
import { withLogContext, withoutLogContext } from '../observability/log-context.ts'
import { checkStreamAccess } from '../sessions/stream-access.ts'
import { makeLivePolls } from './live-polls.ts'
import { keepViews, readWatched, viewOf } from './live-view.ts'
import { type AccountMetricsWatcher, notifyOwners } from './live-watchers.ts'

/** Permissions are checked with each beat, so that a stream ends within a second of losing them. */
const beatMs = 500
/** Metrics are read with every second beat. */
const beatsPerRead = 2

export type LiveHub = {
  /** Streams the member's accounts for as long as this session may make the call. */
  watch(member: Member): Readable
  /** Runs one round, for tests that do not wait. `settled` also waits for the platforms. */
  beat(): Promise<void>
  settled(): Promise<void>
  /** Ends every stream and releases all claims. */
  close(): Promise<void>
}

/** The member's accounts from the database, without a call to a platform. */
export async function readLiveAccountMetrics(member: Member): Promise<LiveAccount[]> {
  authorize(member, 'my_accounts')
  const { context, workspaceId, memberId } = member
  const system = systemActor(context, workspaceId)
  const rows = await reading(member, (tx) => readWatched(tx, system, [memberId]))
  return rows.map((row) => viewOf(row, context.clock))
}

/**
 * Live account metrics for all watchers in this process: one call per platform and second for all of them together. An
 * account watched in several processes is read by one of them, and nothing is read while there are no watchers.
 */
export function openLiveHub(context: Context, { isBeating = true } = {}): LiveHub {
  const watchers = makeWatchers<AccountMetricsWatcher['sent']>()
  const polls = makeLivePolls()
  const views = keepViews(context.clock)
  let timer: NodeJS.Timeout | undefined
  let beats = 0
  let isClosed = false

  async function beat(): Promise<void> {
    beats += 1
    const isReading = beats % beatsPerRead === 1
    const watched = new Map<string, ReadonlySet<string>>()
    for (const [workspaceId, own] of watchers.ofWorkspaces()) {
      const system = systemActor(context, workspaceId)
      await withLogContext({ workspace: workspaceId }, async () => {
        try {
          const open = await checkStreamAccess(system, { watchers, own, scope: 'my_accounts' })
          if (isReading && open.length > 0) watched.set(workspaceId, await readAndSend(system, open))
        } catch (problem) {
          // Permissions cannot be checked, so all streams end.
          for (const watcher of own) watchers.end(watcher, 'unavailable')
          context.log.error({ err: describeProblem(problem) }, 'live account metrics stopped')
        }
      })
    }
    if (isReading || watchers.isEmpty()) await release(watched)
  }

  /** A claim that cannot be released here lapses by itself. */
  async function release(watched: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    try {
      await polls.release(context, watched)
    } catch (problem) {
      context.log.warn({ err: describeProblem(problem) }, 'claims on live account metrics not released')
    }
  }

  /** Returns the watched accounts. */
  async function readAndSend(system: System, own: readonly AccountMetricsWatcher[]): Promise<Set<string>> {
    const memberIds = [...new Set(own.map(({ member }) => member.memberId))]
    const rows = await reading(system, (tx) => readWatched(tx, system, memberIds))
    const taken = await polls.take(system, rows)
    const known = rows.map((row) => ({
      memberId: row.member_id,
      accountId: row.account_id,
      view: () => views.ofRow(row),
    }))
    const coming = new Set(taken.map(({ account_id }) => account_id))
    notifyOwners(own, known, { isAll: true, isComing: (id) => coming.has(id) && !polls.isSilent(id) })
    polls.start(system, taken, (read) => {
      const updates = read.map((each) => ({
        memberId: each.member_id,
        accountId: each.account_id,
        view: () => views.ofState(each),
      }))
      // Includes watchers who joined meanwhile.
      notifyOwners(watchers.ofWorkspaces().get(system.workspaceId) ?? [], updates)
    })
    return new Set(rows.map(({ account_id }) => account_id))
  }

  function goOn(afterMs: number): void {
    if (!isBeating || isClosed || timer) return
    timer = setTimeout(async () => {
      await beat()
      timer = undefined
      if (!watchers.isEmpty() || polls.isHolding()) goOn(beatMs)
    }, afterMs)
    timer.unref()
  }

  return {
    watch(member) {
      authorize(member, 'my_accounts')
      const { stream } = watchers.admit(member, new Map())
      if (watchers.count() === 1) beats = 0
      withoutLogContext(() => goOn(0))
      return stream.readable
    },
    beat,
    async settled() {
      await polls.settled()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      watchers.close('unavailable')
      await release(new Map())
    },
  }
}
