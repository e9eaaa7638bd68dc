import type { System } from '../../foundation/actor.ts'
import type { Context } from '../../foundation/context.ts'
import { reading } from '../../foundation/database/database.ts'
import { type PaymentFailure, PaymentProblem } from '../../payment-providers/contract.ts'
import { connectWith, type ProviderRow, readConnection, type Settings } from './provider.ts'

export type Tested = { works: boolean; failure: PaymentFailure | null; detail: string | null; took_ms: number }

/** Tests a provider with these settings and changes nothing there. The answer contains the failure. */
export async function askProvider(context: Context, uid: string, settings: Settings | null): Promise<Tested> {
  const before = performance.now()
  const tookMs = (): number => Math.round(performance.now() - before)
  try {
    await connectWith(context, uid, settings ?? {}).test()
    return { works: true, failure: null, detail: null, took_ms: tookMs() }
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    return { works: false, failure: problem.failure, detail: problem.detail, took_ms: tookMs() }
  }
}

export type ProviderReport = Tested & { provider: string; state: 'on' | 'off' }

/** Tests every configured provider, or the named one, one after the other outside of every transaction. */
export async function checkProviders(system: System, uid?: string): Promise<ProviderReport[]> {
  const found = await reading(system, async (tx) => {
    const rows = await tx
      .selectFrom('payment_providers')
      .select(['provider_id', 'app_uid', 'enabled'])
      .where('workspace_id', '=', system.workspaceId)
      .orderBy('app_uid')
      .execute()
    const chosen = rows.filter(({ app_uid }) => uid === undefined || app_uid === uid)
    return Promise.all(
      chosen.map(async (row) => ({ row, settings: await readConnection(tx, system, row.provider_id) })),
    )
  })
  const reports: ProviderReport[] = []
  for (const { row, settings } of found)
    reports.push(describe(row, await askProvider(system.context, row.app_uid, settings)))
  return reports
}

function describe({ app_uid, enabled }: Pick<ProviderRow, 'app_uid' | 'enabled'>, tested: Tested): ProviderReport {
  return { provider: app_uid, state: enabled ? 'on' : 'off', ...tested }
}
