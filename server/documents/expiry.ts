import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { brokerageDay } from '../workspaces/today.ts'
import { expireDocument } from './decision.ts'
import { notifyExpiring } from './notifications.ts'
import { pauseChecks } from './paused-checks.ts'
import { holdKycDocuments, settleStatus } from './requirements.ts'
import { isSucceeded } from './successor.ts'

const batchSize = 200
const dayMs = 86_400_000

/** A date without a time counts as UTC, so that no clock change makes a day shorter. */
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Revokes expired approvals, and requests renewal of documents that expire soon. Repeating it notifies nobody again. */
export async function watchExpiry(system: System): Promise<{ expired: number; notified: number }> {
  let [expired, notified] = [0, 0]
  for (;;) {
    const over = await findOver(system)
    for (const { document_id } of over) await expireDocument(system, document_id)
    expired += over.length
    if (over.length < batchSize) break
  }
  for (;;) {
    const soon = await findSoon(system)
    for (const document of soon) await notifyOnce(system, document)
    notified += soon.length
    if (soon.length < batchSize) return { expired, notified }
  }
}

type Expiring = { document_id: string; member_id: string; title: string; expires_on: string }

function findOver(system: System): Promise<Expiring[]> {
  return reading(system, async (tx) =>
    selectExpiring(tx, system)
      .where('documents.expires_on', '<', await brokerageDay(tx, system))
      .limit(batchSize)
      .execute(),
  ) as Promise<Expiring[]>
}

function findSoon(system: System): Promise<Expiring[]> {
  return reading(system, async (tx) => {
    const today = await brokerageDay(tx, system)
    return (
      selectExpiring(tx, system)
        .where('documents.expires_on', '>=', today)
        .where('documents.expires_on', '<=', dayAfter(today, limits.documentRenewalDays))
        .where(sql<boolean>`documents.expiry_told_for is distinct from documents.expires_on`)
        // Only as long as there is one: a renewal that is rejected later leaves the member without a valid document.
        .where((where) => where.not(isSucceeded()))
        .limit(batchSize)
        .execute()
    )
  }) as Promise<Expiring[]>
}

function selectExpiring(tx: Parameters<typeof holdKycDocuments>[0], system: System) {
  return tx
    .selectFrom('documents')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'documents.workspace_id')
        .onRef('member.member_id', '=', 'documents.member_id'),
    )
    .select(['documents.document_id', 'documents.member_id', 'documents.title', 'documents.expires_on'])
    .where('documents.workspace_id', '=', system.workspaceId)
    .where('documents.status', '=', 'approved')
    .where('documents.expires_on', 'is not', null)
    .where('member.status', '<>', 'erased')
    .orderBy('documents.expires_on')
    .orderBy('documents.document_id')
}

async function notifyOnce(system: System, document: Expiring): Promise<void> {
  await inTransaction(system, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('documents')
      .set({ expiry_told_for: document.expires_on })
      .where('workspace_id', '=', system.workspaceId)
      .where('document_id', '=', document.document_id)
      // It may have been revoked or renewed, or have got another last day, since it was found.
      .where('status', '=', 'approved')
      .where('expires_on', '=', document.expires_on)
      .where((where) => where.not(isSucceeded()))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const notification = { memberId: document.member_id, documentId: document.document_id, title: document.title }
    await notifyExpiring(tx, system, { ...notification, expiresOn: document.expires_on })
  })
}

/**
 * Re-evaluates every member after a change of requirements or of an identity vendor, one member per transaction to hold
 * each lock briefly.
 */
export async function settleStatuses(context: Context, workspaceId: string): Promise<number> {
  const system = systemActor(context, workspaceId)
  let [after, settled] = ['00000000-0000-0000-0000-000000000000', 0]
  for (;;) {
    const members = await reading(system, (tx) =>
      tx
        .selectFrom('members')
        .select('member_id')
        .where('workspace_id', '=', workspaceId)
        .where('member_id', '>', after)
        .where('status', '<>', 'erased')
        .orderBy('member_id')
        .limit(batchSize)
        .execute(),
    )
    for (const { member_id } of members)
      await inTransaction(system, async (tx) => {
        const held = await holdKycDocuments(tx, system, member_id)
        await pauseChecks(tx, system, member_id)
        await settleStatus(tx, system, held, { isForMany: true })
      })
    settled += members.length
    after = members.at(-1)?.member_id ?? after
    if (members.length < batchSize) return settled
  }
}
