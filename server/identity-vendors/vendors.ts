import type { Selectable } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { IdentityVendors } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { onceProven } from '../foundation/pending-proof.ts'
import { PaymentProblem } from '../payment-providers/contract.ts'
import { openHttp } from '../payment-providers/http.ts'
import { type IdentityVendor, type VendorHttp, VendorProblem, type VendorSettings } from './contract.ts'
import { findVendorAdapter } from './registry.ts'

export type VendorRow = Selectable<IdentityVendors>

const select = (tx: Tx, actor: Actor) =>
  tx.selectFrom('identity_vendors').selectAll().where('workspace_id', '=', actor.workspaceId)

/** The vendor that members are sent to; none where the brokerage checks identities itself. */
export async function findEnabledVendor(tx: Tx, actor: Actor): Promise<VendorRow | null> {
  return (await select(tx, actor).where('enabled', '=', true).executeTakeFirst()) ?? null
}

export async function findVendor(tx: Tx, actor: Actor, uid: string): Promise<VendorRow | null> {
  return (await select(tx, actor).where('app_uid', '=', uid).executeTakeFirst()) ?? null
}

/** Locked, so that a vendor being switched is read as it is after: a report withheld meanwhile would not be read again. */
export async function holdVendor(tx: Tx, actor: Actor, vendorId: string): Promise<VendorRow> {
  return select(tx, actor).where('vendor_id', '=', vendorId).forShare().executeTakeFirstOrThrow()
}

export function settingsOf(actor: Actor, row: VendorRow): VendorSettings {
  const secrets = JSON.parse(actor.context.seal.open(row.sealed_secret)) as VendorSettings
  return { ...(row.settings as VendorSettings), ...secrets }
}

/** Throws `misconfigured` when the saved settings are not enough. */
export function connectVendor(actor: Actor, row: VendorRow): IdentityVendor {
  const adapter = findVendorAdapter(row.app_uid)
  if (!adapter) throw new VendorProblem('misconfigured', 'there is no such vendor')
  const { config, clock } = actor.context
  return adapter.connect(settingsOf(actor, row), httpOf(config), () => clock.now())
}

/** The same guarded HTTP as for payment providers: no internal addresses, no redirects, always a timeout. */
function httpOf(config: Actor['context']['config']): VendorHttp {
  const http = openHttp(config)
  return async (request) => {
    try {
      return await onceProven(() => http(request))
    } catch (problem) {
      if (!(problem instanceof PaymentProblem)) throw problem
      const kind = problem.failure === 'declined' ? 'unknown' : problem.failure
      throw new VendorProblem(kind, problem.detail)
    }
  }
}
