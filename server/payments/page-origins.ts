import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { PaymentProblem, type PaymentProvider } from '../payment-providers/contract.ts'
import { findWorkspace } from '../workspaces/workspace.ts'
import { connectProvider } from './connections/provider.ts'
import { openStates } from './order.ts'

const cachedForMs = 10_000
/** The origins that a page's forms may post to, and those that it may frame. */
export type PageOrigins = { forms: readonly string[]; frames: readonly string[] }
type Cached = { origins: PageOrigins; until: number }
const cacheOf = new WeakMap<Context, Map<string, Cached>>()

/** The origins of the workspace's enabled providers, and of others with payments that members may continue. */
export async function listPageOrigins(context: Context, host: string | undefined): Promise<PageOrigins> {
  const system = await findWorkspace(context, host)
  if (!system) return none
  const cache = cacheOf.get(context) ?? new Map<string, Cached>()
  cacheOf.set(context, cache)
  const now = context.clock.now().getTime()
  const known = cache.get(system.workspaceId)
  if (known && known.until > now) return known.origins
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('payment_providers as provider')
      .select(['provider.provider_id', 'provider.app_uid'])
      .where('provider.workspace_id', '=', system.workspaceId)
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('provider.enabled', '=', true),
          exists(
            selectFrom('deposit_orders as begun')
              .select('begun.order_id')
              .whereRef('begun.workspace_id', '=', 'provider.workspace_id')
              .whereRef('begun.provider_id', '=', 'provider.provider_id')
              .where('begun.state', 'in', openStates),
          ),
        ]),
      )
      .execute(),
  )
  const found = await Promise.all(rows.map((row) => connectProvider(system, row).then(originsOf, noneIfMisconfigured)))
  const isSafe = (origin: string): boolean => origin.startsWith('https://') || !context.config.production
  const all = (kind: keyof PageOrigins): string[] => [...new Set(found.flatMap((each) => each[kind]))].filter(isSafe)
  const origins = { forms: all('forms'), frames: all('frames') }
  cache.set(system.workspaceId, { origins, until: now + cachedForMs })
  return origins
}

const none: PageOrigins = { forms: [], frames: [] }

const originsOf = ({ pageOrigins: forms, frameOrigins: frames = [] }: PaymentProvider): PageOrigins => ({
  forms,
  frames,
})

function noneIfMisconfigured(problem: unknown): PageOrigins {
  if (problem instanceof PaymentProblem) return none
  throw problem
}
