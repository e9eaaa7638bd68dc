import { createHash } from 'node:crypto'
import { type Actor, type System, systemActor } from '../../foundation/actor.ts'
import type { CircuitState } from '../../foundation/circuit.ts'
import type { Context } from '../../foundation/context.ts'
import { reading } from '../../foundation/database/database.ts'
import { onceProven } from '../../foundation/pending-proof.ts'
import { openSharedCalls } from '../../foundation/shared-calls.ts'
import { realTime } from '../../foundation/timer.ts'
import { describeProblem } from '../../observability/log.ts'
import { traceCalls } from '../../observability/tracing.ts'
import type { Http, PaymentProvider } from '../../payment-providers/contract.ts'
import { openHttp } from '../../payment-providers/http.ts'
import { openKeyedQueues } from '../../queue/keyed-queues.ts'
import { reviewRefusedCredit } from '../exceptions/refused-credit.ts'
import { insertPayout } from '../payouts/payout-order.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { notingFailures } from './failures.ts'
import {
  connectWith,
  findConnection,
  findProvider,
  openConnection,
  type ProviderRow,
  readConnection,
  type Settings,
} from './provider.ts'

type Named = Pick<ProviderRow, 'provider_id' | 'app_uid'>

/**
 * The connections to payment providers, one per workspace's provider and process. Nothing they learn is stored outside
 * the database.
 */
export type Providers = {
  /**
   * The provider for the system's own calls, whose settings members cannot read, or `misconfigured`; like `find`, it
   * waits for the proof of a remembered person.
   */
  connect(actor: Actor, provider: Named): Promise<PaymentProvider>
  /** The provider's row and its connection, read together; null if unknown. `connect` throws `misconfigured`. */
  find(actor: Actor, uid: string): Promise<Found | null>
  /** Runs a job's call in the provider's own queue; `key` identifies its subject. */
  runQueued(actor: Actor, providerId: string, key: string, work: () => Promise<void>): Promise<void>
  /** Joins concurrent queries about an order: one call, and its answer for all callers. */
  ask<Answer>(actor: Actor, orderId: string, call: () => Promise<Answer>): Promise<Answer>
  /** Creates the payout of a debited withdrawal, in the transaction that debits it. */
  startPayout: typeof insertPayout
  /** Opens a payment exception for a paid deposit, in the transaction that records the platform's refusal. */
  reviewRefusedCredit: typeof reviewRefusedCredit
  /** The provider's health without a call; null if this process has not connected to it. */
  circuitState(actor: Actor, providerId: string): CircuitState | null
  close(): Promise<void>
}

export type Found = { row: ProviderRow; connect(): PaymentProvider }
type OpenProvider = { fingerprint: string; breaker: Breaker }
type Options = { failuresBeforeOpening?: number; timeoutMs?: number }

const pauses = { firstMs: 1_000, maxMs: 30_000 }

const fingerprintOf = (settings: Settings): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('hex')

/** Whether the provider has these settings by now. What the database does not say changes nothing. */
async function hasSettings(system: System, providerId: string, fingerprint: string): Promise<boolean> {
  try {
    const settings = await reading(system, (tx) => readConnection(tx, system, providerId))
    return fingerprintOf(settings ?? {}) === fingerprint
  } catch (problem) {
    system.context.log.warn({ err: describeProblem(problem), provider: providerId }, 'settings of a provider not read')
    return true
  }
}

const keyOf = ({ workspaceId }: Actor, providerId: string): string => `${workspaceId}/${providerId}`

/** The circuit of each provider. `wire`: how it is called. */
function keepBreakers(contextOf: () => Context, wire: () => Http, rules: Pick<Options, 'failuresBeforeOpening'>) {
  const kept = new Map<string, OpenProvider>()
  return {
    /** Changed settings mean a different endpoint: the health of the earlier one says nothing about it. */
    breakerFor(actor: Actor, { provider_id, app_uid }: Named, settings: Settings): Breaker {
      const key = keyOf(actor, provider_id)
      const fingerprint = fingerprintOf(settings)
      const earlier = kept.get(key)
      if (earlier?.fingerprint === fingerprint) return earlier.breaker
      earlier?.breaker.stop()
      const { config, log } = contextOf()
      const system = systemActor(contextOf(), actor.workspaceId)
      const breaker = openBreaker({
        ...{ ...rules, pauses, time: realTime, http: wire() },
        log: log.child({ workspace: actor.workspaceId, provider: app_uid }),
        connect: (http) => connectWith({ config }, app_uid, settings, http),
        // Another process may have changed them, and this one would go on probing with the former ones.
        async isCurrent() {
          const isSame = await hasSettings(system, provider_id, fingerprint)
          if (!isSame && kept.get(key)?.fingerprint === fingerprint) kept.delete(key)
          return isSame
        },
      })
      kept.set(key, { fingerprint, breaker })
      return breaker
    },
    find: (actor: Actor, providerId: string) => kept.get(keyOf(actor, providerId))?.breaker,
    stop(): void {
      for (const { breaker } of kept.values()) breaker.stop()
      kept.clear()
    },
  }
}

export function openProviders(contextOf: () => Context, { timeoutMs, ...rules }: Options = {}) {
  const queues = openKeyedQueues()
  const share = openSharedCalls()
  const wire = () => openHttp({ ...contextOf().config, ...(timeoutMs !== undefined && { timeoutMs }) })
  const breakers = keepBreakers(contextOf, wire, rules)

  function openWay(actor: Actor, row: Named, settings: Settings): PaymentProvider {
    const { config } = contextOf()
    const breaker = breakers.breakerFor(actor, row, settings)
    const provider = connectWith({ config }, row.app_uid, settings, breaker.listening(wire()))
    return breaker.guarding(notingFailures(actor, row.provider_id, traceCalls(row.app_uid, provider)))
  }

  const providers: Providers = {
    async connect(actor, row) {
      const system = systemActor(contextOf(), actor.workspaceId)
      const settings = await onceProven(() => reading(system, (tx) => readConnection(tx, system, row.provider_id)))
      return openWay(actor, row, settings ?? {})
    },
    async find(actor, uid) {
      const system = systemActor(contextOf(), actor.workspaceId)
      const found = () =>
        reading(system, async (tx) => {
          const row = await findProvider(tx, system, uid)
          if (!row) return null
          const sealed = await findConnection(tx, system, row.provider_id)
          // Decrypted on connecting, so that an undecryptable secret affects that provider only and not the read.
          return { row, connect: () => openWay(actor, row, sealed ? openConnection(system, sealed) : {}) }
        })
      return onceProven(found)
    },
    runQueued: (actor, providerId, key, work) => queues.run(keyOf(actor, providerId), key, work),
    ask: (actor, orderId, call) => share(keyOf(actor, orderId), call),
    startPayout: insertPayout,
    reviewRefusedCredit,
    circuitState: (actor, providerId) => breakers.find(actor, providerId)?.circuitState() ?? null,
    async close() {
      breakers.stop()
      // Every call ends in bounded time (http.ts), and its outcome is recorded.
      await queues.stop()
    },
  }
  return providers
}
