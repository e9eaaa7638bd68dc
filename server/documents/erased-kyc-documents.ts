import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { keptSince } from '../workspaces/kept-times.ts'

/** In this order: the later ones are named by those before. */
const tables = ['document_events', 'documents', 'document_requests', 'identity_checks'] as const

/**
 * Takes away by what members were identified, and what they agreed to, once they are erased for as long as the brokerage keeps
 * that. Their files go with the next sweep of uploads; receipts are proof of the books and stay. Answers how many members.
 */
export async function clearErasedKycDocuments(system: System): Promise<number> {
  await inTransaction(system, (tx) => dateErasures(tx, system))
  const until = await keptSince(system, 'paper_days')
  let cleared = 0
  while (await inTransaction(system, (tx) => clearNext(tx, system, until))) cleared += 1
  return cleared
}

/** The version before erases without saying when: as of the first round that finds it. */
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

/** One member at a time: nobody has so many KYC documents that it takes long. */
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
