import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { apiAddress, workspaceAddress } from './address.ts'
import { findWorkspace, readWorkspace } from './workspace.ts'

/** The origins of a brokerage's pages and of its calls. */
export type Addresses = { portal: string; api: string }

const cachedForMs = 10_000
type Cached = { addresses: Addresses; until: number }
const cacheOf = new WeakMap<Context, Map<string, Cached>>()

/** The addresses of a host's brokerage; null for an unknown host, or where calls have no host of their own. */
export async function findAddresses(context: Context, host: string | undefined): Promise<Addresses | null> {
  const system = await findWorkspace(context, host)
  if (!system) return null
  const cache = cacheOf.get(context) ?? new Map<string, Cached>()
  cacheOf.set(context, cache)
  const now = context.clock.now().getTime()
  const known = cache.get(system.workspaceId)
  if (known && known.until > now) return known.addresses
  const workspace = await reading(system, (tx) => readWorkspace(tx, system))
  const api = apiAddress(context.config, workspace)
  if (!api) return null
  const addresses = { portal: new URL(workspaceAddress(context.config, workspace)).origin, api: new URL(api).origin }
  cache.set(system.workspaceId, { addresses, until: now + cachedForMs })
  return addresses
}

/** The brand name of a host's brokerage; null for an unknown host. */
export async function brandNameOf(context: Context, host: string | undefined): Promise<string | null> {
  const system = await findWorkspace(context, host)
  return system && (await reading(system, (tx) => readWorkspace(tx, system))).name
}
