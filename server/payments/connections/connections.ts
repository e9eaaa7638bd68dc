import { createHash } from 'node:crypto'
import { type Actor, systemActor } from '../../foundation/actor.ts'
import type { CircuitState } from '../../foundation/circuit.ts'
import type { Context } from '../../foundation/context.ts'
import { reading } from '../../foundation/database/database.ts'
import { openSharedCalls } from '../../foundation/shared-calls.ts'
import { realTime } from '../../foundation/timekeeper.ts'
import { traceCalls } from '../../observability/tracing.ts'
import type { PaymentProvider } from '../../payment-providers/contract.ts'
import { openHttp } from '../../payment-providers/http.ts'
import { openLanes } from '../../queue/lanes.ts'
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

/** The ways to payment providers, one a workspace's provider and process. What they are told lives in the database only. */
export type Providers = {
  /** The provider as the program itself reaches it; members reach no settings. Throws `misconfigured`. */
  connect(actor: Actor, provider: Named): Promise<PaymentProvider>
  /** Its row and the way to it, read together; null for one that is not there. `connect` throws `misconfigured`. */
  find(actor: Actor, uid: string): Promise<Found | null>
  /** Work of a job that asks one provider, in that provider's own lane; `key` names what it is about. */
  visit(actor: Actor, providerId: string, key: string, work: () => Promise<void>): Promise<void>
  /** One question about an order at a time, and one answer for all who ask meanwhile. */
  ask<Answer>(actor: Actor, orderId: string, call: () => Promise<Answer>): Promise<Answer>
  /** Writes down a debited withdrawal for its provider to pay out, in the transaction that debits it. */
  startPayout: typeof insertPayout
  /** How it stands, without asking it; null while this process has not connected to it. */
  standing(actor: Actor, providerId: string): CircuitState | null
  close(): Promise<void>
}

export type Found = { row: ProviderRow; connect(): PaymentProvider }
type Kept = { fingerprint: string; breaker: Breaker }
type Options = { failuresBeforeOpening?: number; timeoutMs?: number }

const pauses = { firstMs: 1_000, maxMs: 30_000 }

export function openProviders(contextOf: () => Context, { timeoutMs, ...rules }: Options = {}) {
  const kept = new Map<string, Kept>()
  const lanes = openLanes()
  const share = openSharedCalls()
  const wire = (config: Context['config']) => openHttp({ ...config, ...(timeoutMs !== undefined && { timeoutMs }) })
  const keyOf = ({ workspaceId }: Actor, providerId: string): string => `${workspaceId}/${providerId}`

  /** With other settings it is somebody else who is asked: what was learnt of the earlier one says nothing of them. */
  function breakerFor(actor: Actor, { provider_id, app_uid }: Named, settings: Settings): Breaker {
    const key = keyOf(actor, provider_id)
    const fingerprint = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
    const earlier = kept.get(key)
    if (earlier?.fingerprint === fingerprint) return earlier.breaker
    earlier?.breaker.stop()
    const { config, log } = contextOf()
    const breaker = openBreaker({
      ...{ ...rules, pauses, time: realTime, http: wire(config) },
      log: log.child({ workspace: actor.workspaceId, provider: app_uid }),
      connect: (http) => connectWith({ config }, app_uid, settings, http),
    })
    kept.set(key, { fingerprint, breaker })
    return breaker
  }

  function openWay(actor: Actor, row: Named, settings: Settings): PaymentProvider {
    const { config } = contextOf()
    const breaker = breakerFor(actor, row, settings)
    const provider = connectWith({ config }, row.app_uid, settings, breaker.listening(wire(config)))
    return breaker.guarding(notingFailures(actor, row.provider_id, traceCalls(row.app_uid, provider)))
  }

  const providers: Providers = {
    async connect(actor, row) {
      const system = systemActor(contextOf(), actor.workspaceId)
      return openWay(actor, row, (await reading(system, (tx) => readConnection(tx, system, row.provider_id))) ?? {})
    },
    async find(actor, uid) {
      const system = systemActor(contextOf(), actor.workspaceId)
      return reading(system, async (tx) => {
        const row = await findProvider(tx, system, uid)
        if (!row) return null
        const sealed = await findConnection(tx, system, row.provider_id)
        // Opened where it is connected: a secret that no key opens is a matter of that provider, and no fault of the reading.
        return { row, connect: () => openWay(actor, row, sealed ? openConnection(system, sealed) : {}) }
      })
    },
    visit: (actor, providerId, key, work) => lanes.visit(keyOf(actor, providerId), key, work),
    ask: (actor, orderId, call) => share(keyOf(actor, orderId), call),
    startPayout: insertPayout,
    standing: (actor, providerId) => kept.get(keyOf(actor, providerId))?.breaker.standing() ?? null,
    async close() {
      for (const { breaker } of kept.values()) breaker.stop()
      kept.clear()
      // Every call has an end (http.ts), and what came of it is written down.
      await lanes.stop()
    },
  }
  return providers
}
