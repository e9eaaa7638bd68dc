import { reading } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import { findWorkspace } from '../workspaces/workspace.ts'
import { PaymentProblem } from './contract.ts'
import { connectProvider } from './provider.ts'

const keptForMs = 10_000
type Kept = { origins: readonly string[]; until: number }
const keptOf = new WeakMap<Ground, Map<string, Kept>>()

/** Where forms of a brokerage's pages may go: to the hosts of its providers that are switched on, and nowhere else. */
export async function listPageOrigins(ground: Ground, host: string | undefined): Promise<readonly string[]> {
  const system = await findWorkspace(ground, host)
  if (!system) return []
  const kept = keptOf.get(ground) ?? new Map<string, Kept>()
  keptOf.set(ground, kept)
  const now = ground.clock.now().getTime()
  const known = kept.get(system.workspaceId)
  if (known && known.until > now) return known.origins
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('payment_providers')
      .select(['provider_id', 'app_uid'])
      .where('workspace_id', '=', system.workspaceId)
      .where('enabled', '=', true)
      .execute(),
  )
  const found = await Promise.all(rows.map((row) => connectProvider(system, row).then(originsOf, noneIfMisconfigured)))
  const origins = [...new Set(found.flat())].filter(
    (origin) => origin.startsWith('https://') || !ground.config.production,
  )
  kept.set(system.workspaceId, { origins, until: now + keptForMs })
  return origins
}

const originsOf = ({ pageOrigins }: { pageOrigins: readonly string[] }): readonly string[] => pageOrigins

function noneIfMisconfigured(problem: unknown): readonly string[] {
  if (problem instanceof PaymentProblem) return []
  throw problem
}
