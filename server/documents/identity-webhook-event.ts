import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { NIL } from 'uuid'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { IdentityReading, IdentityReport, RawWebhookEvent } from '../identity-vendors/contract.ts'
import { connectVendor, holdVendor, type VendorRow } from '../identity-vendors/vendors.ts'
import { sweepBatch } from '../queue/sweeping.ts'
import { recordKycDocumentEvent } from './history.ts'
import { notifyCheck } from './notifications.ts'
import { holdKycDocuments, settleStatus } from './requirements.ts'

type Unproven = 'unsigned' | 'forged' | 'unreadable'
type Verdict = 'unread' | 'applied' | 'late' | 'no_check' | 'of_no_meaning' | 'vendor_off' | Unproven

const contentIdOf = ({ headers, body }: RawWebhookEvent): Buffer =>
  createHash('sha256').update(JSON.stringify(headers)).update(body).digest()

const ifUnproven = (column: 'verdict' | 'headers' | 'body' | 'cleared_at') =>
  sql<never>`case when identity_notifications.verdict in ('unsigned', 'forged', 'unreadable')
    then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`identity_notifications.${column}`)} end`

/**
 * Stores a webhook as received, and enqueues its processing if it is genuine. A redelivery reuses the stored row; one that failed
 * verification because of a wrong secret is processed when a redelivery verifies.
 */
export async function keepIdentityWebhookEvent(
  system: System,
  vendor: VendorRow,
  received: RawWebhookEvent,
  read: IdentityReading,
): Promise<void> {
  const verdict: Verdict = read.isGenuine ? 'unread' : read.why
  await inTransaction(system, async (tx) => {
    const stored = await tx
      .insertInto('identity_notifications')
      .values({
        workspace_id: system.workspaceId,
        notification_id: newId(),
        vendor_id: vendor.vendor_id,
        content_id: contentIdOf(received),
        headers: JSON.stringify(received.headers),
        body: received.body,
        received_at: system.context.clock.now(),
        verdict,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'vendor_id', 'content_id']).doUpdateSet({
          verdict: ifUnproven('verdict'),
          // Identical to the stored ones, unless those were cleared meanwhile.
          headers: ifUnproven('headers'),
          body: ifUnproven('body'),
          cleared_at: ifUnproven('cleared_at'),
        }),
      )
      .returning(['notification_id', 'verdict'])
      .executeTakeFirstOrThrow()
    if (stored.verdict !== 'unread') return
    const job = { workspaceId: system.workspaceId, id: stored.notification_id }
    await system.context.jobs.enqueue(tx, 'documents.read-identity-notification', job)
  })
  system.context.jobs.wake('documents.read-identity-notification')
}

/** The queue may lag by this much; an older webhook's job is lost. */
const overdueMs = 15 * 60_000

/** A safety net, as for mails: the vendor has had its answer, and does not repeat what nobody processed. */
export async function requeueLostWebhookEvents(system: System): Promise<void> {
  const { workspaceId, context } = system
  const before = new Date(context.clock.now().getTime() - overdueMs)
  let last: string = NIL
  for (;;) {
    const lost = await inTransaction(system, async (tx) => {
      const rows = await tx
        .selectFrom('identity_notifications')
        .select('notification_id as id')
        .where('workspace_id', '=', workspaceId)
        .where('verdict', '=', 'unread')
        .where('received_at', '<', before)
        .where('notification_id', '>', last)
        .orderBy('notification_id')
        .limit(sweepBatch)
        .execute()
      for (const { id } of rows)
        await context.jobs.enqueue(tx, 'documents.read-identity-notification', { workspaceId, id })
      return rows
    })
    last = lost.at(-1)?.id ?? last
    if (lost.length < sweepBatch) return
  }
}

/**
 * Processes a stored webhook once; a second worker finds it processed. Makes no external calls. It was proven when it came, and the
 * vendor does not repeat it, so a secret replaced since does not matter.
 */
export async function readIdentityWebhookEvent(system: System, id: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const row = await tx
      .selectFrom('identity_notifications')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('notification_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row?.verdict !== 'unread') return
    const vendor = await holdVendor(tx, system, row.vendor_id)
    const headers = row.headers as RawWebhookEvent['headers']
    const read = connectVendor(system, vendor).readProvenEvent({ headers, body: row.body })
    const outcome = await act(tx, system, vendor, read)
    await tx
      .updateTable('identity_notifications')
      .set({ ...outcome, read_at: system.context.clock.now() })
      .where('workspace_id', '=', system.workspaceId)
      .where('notification_id', '=', id)
      .execute()
  })
}

/** `check_id`: the check that it is about, so that an erasure finds it. */
type Outcome = { verdict: Verdict; check_id: string | null }

async function act(tx: Tx, system: System, vendor: VendorRow, read: IdentityReading): Promise<Outcome> {
  if (!read.isGenuine) return { verdict: read.why, check_id: null }
  const owner = await findOwner(tx, system, vendor, read)
  const check_id = owner?.checkId ?? null
  if (!read.report) return { verdict: 'of_no_meaning', check_id }
  if (!owner) return { verdict: 'no_check', check_id }
  if (!vendor.enabled) {
    await recordWithheld(tx, system, owner, read.report)
    return { verdict: 'vendor_off', check_id }
  }
  const isNews = await applyReport(tx, system, owner, { ...read.report, at: read.at })
  return { verdict: isNews ? 'applied' : 'late', check_id }
}

/** Finds the check by the id that we gave the vendor. Finds none of another workspace, vendor or applicant. */
async function findOwner(
  tx: Tx,
  system: System,
  { vendor_id }: VendorRow,
  { checkId, applicantId }: Extract<IdentityReading, { isGenuine: true }>,
): Promise<Owner | null> {
  const row = await tx
    .selectFrom('identity_checks')
    .select(['check_id', 'member_id', 'applicant_id'])
    .where('workspace_id', '=', system.workspaceId)
    .where('vendor_id', '=', vendor_id)
    .where(sql`check_id::text`, '=', checkId)
    .executeTakeFirst()
  const isTheirs = row && (row.applicant_id === null || row.applicant_id === applicantId)
  return isTheirs ? { checkId: row.check_id, memberId: row.member_id } : null
}

type Owner = { checkId: string; memberId: string }

/** Staff who switched the vendor off decide themselves: the report stands in the member's history and changes nothing. */
async function recordWithheld(
  tx: Tx,
  system: System,
  { checkId, memberId }: Owner,
  { state, reason }: IdentityReport,
): Promise<void> {
  const held = await holdKycDocuments(tx, system, memberId)
  if (held.status === 'erased') return
  await recordKycDocumentEvent(tx, system, { memberId, event: `identity-check.withheld-${state}`, note: reason })
  await audit(tx, system, {
    action: 'identity-check.withheld',
    subject: { kind: 'identity_check', id: checkId },
    memberId,
    after: { reported: state, ...(reason && { reason }) },
  })
}

type DatedReport = IdentityReport & { at: Date }

/** Locks the member, then the check, in the order of all KYC changes. Returns false if a newer report is already stored. */
async function applyReport(
  tx: Tx,
  system: System,
  { checkId, memberId }: Owner,
  { state, reason, at }: DatedReport,
): Promise<boolean> {
  const held = await holdKycDocuments(tx, system, memberId)
  const check = await tx
    .selectFrom('identity_checks')
    .select(['state', 'reported_at'])
    .where('workspace_id', '=', system.workspaceId)
    .where('check_id', '=', checkId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (held.status === 'erased' || (check.reported_at && check.reported_at > at)) return false
  await tx
    .updateTable('identity_checks')
    .set({ state, reason, reported_at: at })
    .where('workspace_id', '=', system.workspaceId)
    .where('check_id', '=', checkId)
    .execute()
  if (check.state === state) return true
  await recordKycDocumentEvent(tx, system, { memberId, event: `identity-check.${state}`, note: reason })
  await audit(tx, system, {
    action: `identity-check.${state}`,
    subject: { kind: 'identity_check', id: checkId },
    memberId,
    before: { state: check.state },
    after: { state, ...(reason && { reason }) },
  })
  const isNotified = state !== 'waiting'
  if (isNotified) await notifyCheck(tx, system, state, { memberId, checkId, at, reason: reason ?? '' })
  await settleStatus(tx, system, held, { isNotified })
  return true
}
