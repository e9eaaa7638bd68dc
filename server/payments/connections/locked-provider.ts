import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Staff } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../../foundation/errors.ts'
import type { ProviderAdapter } from '../../payment-providers/contract.ts'
import { findAdapter } from '../../payment-providers/registry.ts'
import type { ProviderRow } from './provider.ts'

export type LockedProvider = {
  row: ProviderRow
  adapter: ProviderAdapter
  refuseUnless(version: number): void
  /** Saves the given fields and increments the version. */
  change(set: Partial<Pick<ProviderRow, 'title' | 'position' | 'enabled'>>): Promise<void>
}

/** A provider locked until the transaction ends; of two concurrent saves, one gets a conflict. */
export async function lockProvider(tx: Tx, actor: Staff, providerId: string): Promise<LockedProvider> {
  const row = await tx
    .selectFrom('payment_providers')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', providerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const adapter = row && findAdapter(row.app_uid)
  if (!row || !adapter) refuseNotFound()
  return {
    row,
    adapter,
    refuseUnless(version) {
      if (row.version !== version) refuse('conflict', deskTexts.settingsChanged)
    },
    async change(set) {
      await tx
        .updateTable('payment_providers')
        .set({ ...set, version: row.version + 1 })
        .where('workspace_id', '=', actor.workspaceId)
        .where('provider_id', '=', providerId)
        .execute()
    },
  }
}
