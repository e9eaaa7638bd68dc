import type { System } from '../foundation/actor.ts'
import { type Circuit, openCircuit } from '../foundation/circuit.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { realTime } from '../foundation/timekeeper.ts'
import { describeProblem } from '../observability/log.ts'
import { type ReadAccount, refreshFigures, withStates } from './figures.ts'
import { makeClaims, renewedAfterMs } from './live-claims.ts'
import type { WatchedRow } from './live-view.ts'

/** As many as a platform tells of in one call. Figures of the first are told on while the next are still read. */
const batchSize = 100
/** A platform that failed is asked again after this, doubled with each failure up to the most. */
const pauses = { firstMs: 1_000, maxMs: 15_000 }

type Read = (ReadAccount & { member_id: string })[]
type Heard = (read: Read) => void

/**
 * Reads accounts at their platforms for everybody who watches: each platform by itself, so that one which hangs keeps
 * nobody from the figures of another, and never a second time while the first is under way.
 */
export function makeLivePolls() {
  const claims = makeClaims()
  const underWay = new Map<string, Promise<void>>()
  const circuits = new Map<string, Circuit>()
  /** Accounts that their platform said nothing of when it was last asked. */
  const silent = new Set<string>()

  async function poll(system: System, platformId: string, accounts: WatchedRow[], heard: Heard): Promise<void> {
    try {
      const link = await system.context.platforms.link(system, platformId)
      if (!link) return
      let told = Promise.resolve()
      for (let first = 0; first < accounts.length; first += batchSize) {
        const batch = accounts.slice(first, first + batchSize)
        const states = await link.gateway.readAccounts(batch.map(({ platform_login }) => platform_login))
        await told
        told = keepAndTell(system, batch, withStates(batch, states), heard)
        told.catch(() => undefined) // Thrown where it is awaited: the next ones are asked about meanwhile.
      }
      await told
      circuits.get(platformId)?.succeeded()
    } catch (problem) {
      noteTrouble(system, platformId, problem)
    }
  }

  /** Told once it is kept: what a beat reads meanwhile must not be older than what was told. */
  async function keepAndTell(system: System, batch: WatchedRow[], read: Read, heard: Heard): Promise<void> {
    const now = system.context.clock.now().getTime()
    const asker = { holder: claims.holder, renewedAfterMs }
    claims.renew(await inTransaction(system, (tx) => refreshFigures(tx, system, read, asker)), now)
    for (const { account_id } of batch) silent.add(account_id)
    for (const { account_id } of read) silent.delete(account_id)
    heard(read)
  }

  /** Said once: a platform that is away for an hour is one line, not an hour of them. */
  function noteTrouble({ context }: System, platformId: string, problem: unknown): void {
    const about = { platform: platformId }
    const time = { now: () => context.clock.now().getTime(), after: realTime.after }
    const circuit =
      circuits.get(platformId) ??
      openCircuit(
        {
          ...{ pauses, failuresBeforeOpening: 1 },
          whenOpened: (failures) => {
            if (failures === 1) context.log.warn({ err: describeProblem(problem), ...about }, 'no live figures')
          },
          whenClosed: () => {
            circuits.delete(platformId)
            context.log.info(about, 'live figures again')
          },
        },
        time,
      )
    circuits.set(platformId, circuit)
    circuit.failed()
  }

  /** Platforms that are not to be asked now: one answer is awaited from them, or they have just failed. */
  function resting(): Set<string> {
    const troubled = [...circuits].filter(([, circuit]) => circuit.isOpen()).map(([id]) => id)
    return new Set([...underWay.keys(), ...troubled])
  }

  return {
    isSilent: (accountId: string) => silent.has(accountId),
    /** Those of these accounts that are for this process to ask about now. */
    take(system: System, rows: readonly WatchedRow[]): Promise<WatchedRow[]> {
      const passed = resting()
      const asked = rows.filter(({ archived, platform_id }) => !archived && !passed.has(platform_id))
      return claims.take(system, asked)
    },
    release: (context: Context, watched: ReadonlyMap<string, ReadonlySet<string>>) => claims.release(context, watched),
    isHolding: claims.isHolding,
    start(system: System, taken: readonly WatchedRow[], heard: Heard): void {
      for (const [platformId, accounts] of Map.groupBy(taken, ({ platform_id }) => platform_id)) {
        const polling = poll(system, platformId, accounts, heard).finally(() => underWay.delete(platformId))
        underWay.set(platformId, polling)
      }
    },
    /** When everything that is under way has been kept. */
    settled: () => Promise.all(underWay.values()),
  }
}
