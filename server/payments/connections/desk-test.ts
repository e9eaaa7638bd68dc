import { authorizeStaff, type Staff, systemActor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { refuseNotFound } from '../../foundation/errors.ts'
import { takeTry } from '../../foundation/rate-limit.ts'
import { findProviderById, readConnection } from './provider.ts'
import { askProvider, type Tested } from './provider-check.ts'

/** Enough to set a provider up, too few to scan a network. */
const tries = { name: 'provider-tests', triesMax: 20, windowSeconds: 300 }

/** Tests the saved settings with a call outside of every transaction. The answer contains the failure. */
export async function testProvider(actor: Staff, id: string): Promise<Tested> {
  authorizeStaff(actor, 'workspace.manage')
  const { row, settings } = await reading(actor, async (tx) => {
    const found = await findProviderById(tx, actor, id)
    if (!found) refuseNotFound()
    return { row: found, settings: await readConnection(tx, actor, id) }
  })
  await takeTry(systemActor(actor.context, actor.workspaceId), tries, actor.workspaceId)
  await inTransaction(actor, (tx) =>
    audit(tx, actor, { action: 'payment-provider.tested', subject: { kind: 'payment_provider', id } }),
  )
  return askProvider(actor.context, row.app_uid, settings)
}
