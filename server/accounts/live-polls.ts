import type { System } from '../foundation/actor.ts'
import { type Circuit, openCircuit } from '../foundation/circuit.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { realTime } from '../foundation/timer.ts'
import { describeProblem } from '../observability/log.ts'
import { type ReadAccount, refreshAccountMetrics, withStates } from './account-metrics.ts'
import { makeClaims, renewedAfterMs } from './live-claims.ts'
import type { WatchedRow } from './live-view.ts'

/** Accounts per call to a platform. Metrics of one batch are sent while the next is read. */
const batchSize = 100
/** First delay before a failed platform is called again; doubled with each failure up to the maximum. */
const pauses = { firstMs: 1_000, maxMs: 15_000 }

type Read = (ReadAccount & { member_id: string })[]
type OnRead = (read: Read) => void

/**
 * Reads accounts at their platforms for all watchers. Platforms are independent, so a hanging one delays no other, and
 * a platform is never called while a call to it is under way.
 */
export function makeLivePolls() {
  const claims = makeClaims()
  const underWay = new Map<string, Promise<void>>()
  const circuits = makeCircuits()
  /** Accounts missing from the platform's last answer. */
  const silent = new Set<string>()

  async function poll(system: System, platformId: string, accounts: WatchedRow[], onRead: OnRead): Promise<void> {
    try {
      const link = await system.context.platforms.link(system, platformId)
      // Of a disabled platform the stored metrics are sent, with their time.
      if (!link) {
        for (const { account_id } of accounts) silent.add(account_id)
        return
      }
      let sent = Promise.resolve()
      for (let first = 0; first < accounts.length; first += batchSize) {
        const batch = accounts.slice(first, first + batchSize)
        const states = await link.gateway.readAccounts(batch.map(({ platform_login }) => platform_login))
        await sent
        sent = storeAndSend(system, batch, withStates(batch, states), onRead)
        sent.catch(() => undefined) // Awaited and rethrown later; the next batch is requested meanwhile.
      }
      await sent
      circuits.succeeded(platformId)
    } catch (problem) {
      circuits.failed(system, platformId, problem)
    }
  }

  /** Notifies after the metrics are stored, so that a beat never reads older metrics than were sent. */
  async function storeAndSend(system: System, batch: WatchedRow[], read: Read, onRead: OnRead): Promise<void> {
    const now = system.context.clock.now().getTime()
    const asker = { holder: claims.holder, renewedAfterMs }
    claims.renew(await inTransaction(system, (tx) => refreshAccountMetrics(tx, system, read, asker)), now)
    for (const { account_id } of batch) silent.add(account_id)
    for (const { account_id } of read) silent.delete(account_id)
    onRead(read)
  }

  /** Platforms not to call now: a call is under way or has just failed. */
  const busyPlatforms = (): Set<string> => new Set([...underWay.keys(), ...circuits.open()])

  return {
    isSilent: (accountId: string) => silent.has(accountId),
    /** The accounts that this process reads now. */
    take(system: System, rows: readonly WatchedRow[]): Promise<WatchedRow[]> {
      const passed = busyPlatforms()
      const asked = rows.filter(({ archived, platform_id }) => !archived && !passed.has(platform_id))
      return claims.take(system, asked)
    },
    release: (context: Context, watched: ReadonlyMap<string, ReadonlySet<string>>) => claims.release(context, watched),
    isHolding: claims.isHolding,
    start(system: System, taken: readonly WatchedRow[], onRead: OnRead): void {
      for (const [platformId, accounts] of Map.groupBy(taken, ({ platform_id }) => platform_id)) {
        const polling = poll(system, platformId, accounts, onRead).finally(() => underWay.delete(platformId))
        underWay.set(platformId, polling)
      }
    },
    /** Resolves when all calls under way are stored. */
    settled: () => Promise.all(underWay.values()),
  }
}

/** One circuit for each platform that fails. An outage is logged once, not once per call. */
function makeCircuits() {
  const circuits = new Map<string, Circuit>()

  function make({ context }: System, platform: string, problem: unknown): Circuit {
    const time = { now: () => context.clock.now().getTime(), after: realTime.after }
    return openCircuit(
      {
        ...{ pauses, failuresBeforeOpening: 1 },
        whenOpened: (failures) => {
          if (failures === 1)
            context.log.warn({ err: describeProblem(problem), platform }, 'live account metrics not available')
        },
        whenClosed: () => {
          circuits.delete(platform)
          context.log.info({ platform }, 'live account metrics available again')
        },
      },
      time,
    )
  }

  return {
    succeeded: (platformId: string) => circuits.get(platformId)?.succeeded(),
    failed(system: System, platformId: string, problem: unknown): void {
      const circuit = circuits.get(platformId) ?? make(system, platformId, problem)
      circuits.set(platformId, circuit)
      circuit.failed()
    },
    open: (): string[] => [...circuits].filter(([, circuit]) => circuit.isOpen()).map(([id]) => id),
  }
}
