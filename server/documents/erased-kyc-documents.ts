import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { retainedSince } from '../workspaces/retention.ts'

/** In deletion order: earlier tables refer to later ones. */
const tables = ['document_events', 'documents', 'document_requests', 'identity_checks'] as const

/**
 * Deletes the identification and acceptances of erased members after the brokerage's retention period, and returns the
 * number of members. The upload sweep deletes their files; receipts stay as accounting records.
 */
export async function clearErasedKycDocuments(system: System): Promise<number> {
  await inTransaction(system, (tx) => dateErasures(tx, system))
  const until = await retainedSince(system, 'paper_days')
  let cleared = 0
  while (await inTransaction(system, (tx) => clearNext(tx, system, until))) cleared += 1
  return cleared
}

/** The version before stores no date of erasure: the first round that finds one sets it. */
async function dateErasures(tx: Tx, system: System): Promise<void> {
  await tx
    .updateTable('members')
    .set({ erased_at: system.context.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('status', '=', 'erased')
    .where('papers_gone_at', 'is', null)
    .where('erased_at', 'is', null)
    .execute()
}

/** Deletes for one member per transaction, which is short since no member has many KYC documents. */
async function clearNext(tx: Tx, system: System, until: Date): Promise<boolean> {
  const { workspaceId: workspace_id } = system
  const erased = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'erased')
    .where('erased_at', '<=', until)
    .where('papers_gone_at', 'is', null)
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!erased) return false
  const { member_id } = erased
  for (const table of tables) {
    await tx.deleteFrom(table).where('workspace_id', '=', workspace_id).where('member_id', '=', member_id).execute()
  }
  await sql`select forget_acceptances(${member_id}::uuid)`.execute(tx)
  await tx
    .updateTable('members')
    .set({ papers_gone_at: system.context.clock.now() })
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', member_id)
    .execute()
  const subject = { kind: 'member', id: member_id } as const
  await audit(tx, system, { action: 'member.papers-gone', subject, memberId: member_id })
  return true
}
