import { sql } from 'kysely'
import { type Actor, type System, systemActor } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { activeMember } from '../foundation/database/member-lock.ts'
import { holdName } from '../foundation/database/named-lock.ts'
import { newId } from '../foundation/ids.ts'
import type { Utc } from '../trading-platforms/contract.ts'

/** A reader without a heartbeat for this long is dead, and another may begin. */
const slotLeaseMs = 30_000
/** For each platform over all processes, so that reading histories does not delay balances. */
const readersPerPlatformMax = 2
/** A history younger than this is not read again on viewing. */
const freshMs = 5_000
/** An enqueued job gets this long before another is enqueued. */
const queuedMs = 10_000

/** The account and platform of a history. */
export type Traded = { account_id: string; member_id: string; platform_id: string }

export type History = {
  read_from: Date | null
  read_to: Date | null
  is_complete: boolean
  read_at: Date | null
  failing_since: Date | null
  queued_at: Date | null
  reader_until: Date | null
}

export function readHistory(tx: Tx, actor: Actor, accountId: string): Promise<History | undefined> {
  return tx
    .selectFrom('trade_histories')
    .select(['read_from', 'read_to', 'is_complete', 'read_at', 'failing_since', 'queued_at', 'reader_until'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** True while a reader is active or a job is enqueued. */
export function isBeingRead(history: History | undefined, now: Date): boolean {
  if (!history) return false
  const isQueued = history.queued_at !== null && now.getTime() - history.queued_at.getTime() < queuedMs
  return isQueued || (history.reader_until !== null && history.reader_until > now)
}

/** Whether a view triggers a read of the platform. */
export function isDue(history: History | undefined, now: Date): boolean {
  if (!history) return true
  if (isBeingRead(history, now)) return false
  // A clock that was set back leaves a time ahead of ours.
  return !history.is_complete || history.read_at === null || Math.abs(+now - +history.read_at) >= freshMs
}

/**
 * Enqueues a read, one for concurrent calls; the caller has checked that a member owns the account. Reads by the system
 * do not count as views, so an unviewed history is no longer refreshed after a time.
 */
export async function askForReading(actor: Actor, of: Traded): Promise<void> {
  const system = systemActor(actor.context, actor.workspaceId)
  const now = system.context.clock.now()
  const isOurs = await inTransaction(system, async (tx) => {
    const asked = await sql`
      insert into trade_histories as history (workspace_id, account_id, member_id, platform_id, asked_at, queued_at)
      select ${system.workspaceId}::uuid, ${of.account_id}::uuid, ${of.member_id}::uuid, ${of.platform_id}::uuid,
        ${now}::timestamptz, ${now}::timestamptz
      from ${activeMember(system, of.member_id)}
      on conflict (workspace_id, account_id) do update
        set asked_at = ${sql.ref(actor.kind === 'system' ? 'history.asked_at' : 'excluded.asked_at')},
          queued_at = excluded.queued_at
        where (history.queued_at is null or history.queued_at <= ${new Date(now.getTime() - queuedMs)})
          and (history.reader_until is null or history.reader_until <= ${now})
      returning 1`.execute(tx)
    if (asked.rows.length === 0) return false
    await enqueueReading(tx, system, of.account_id)
    return true
  })
  if (isOurs) system.context.jobs.wake('trades.read-history')
}

export function enqueueReading(tx: Tx, system: System, accountId: string, startAfter?: Date): Promise<void> {
  const data = { workspaceId: system.workspaceId, id: accountId }
  return system.context.jobs.enqueue(tx, 'trades.read-history', data, startAfter ? { startAfter } : {})
}

export type Reader = Traded & {
  readerId: string
  login: string
  platform_registered_at: Date | null
  currency: string
  readFrom: Utc | null
  readTo: Utc | null
  isComplete: boolean
  stepSeconds: number
}

/** Claims the account's only reader slot: `taken` by another reader, or `full` for its platform. */
export function claimReaderSlot(system: System, accountId: string): Promise<Reader | 'taken' | 'full'> {
  return inTransaction(system, async (tx) => {
    const now = system.context.clock.now()
    const { workspaceId: workspace_id } = system
    const account = await tx
      .selectFrom('trading_accounts')
      .select(['platform_id', 'platform_login', 'platform_registered_at', 'currency'])
      .where('workspace_id', '=', workspace_id)
      .where('account_id', '=', accountId)
      .where('deleted', '=', false)
      .executeTakeFirst()
    if (!account) return 'taken'
    // Serializes the count for a platform, so that concurrent readers do not all claim the last slot.
    await holdName(tx, `trades/${account.platform_id}`)
    const reading = await tx
      .selectFrom('trade_histories')
      .select('account_id')
      .where('workspace_id', '=', workspace_id)
      .where('platform_id', '=', account.platform_id)
      .where('reader_until', '>', now)
      .execute()
    if (reading.some((other) => other.account_id === accountId)) return 'taken'
    if (reading.length >= readersPerPlatformMax) return 'full'
    const readerId = newId()
    const row = await tx
      .updateTable('trade_histories')
      .set({ reader_id: readerId, reader_until: new Date(now.getTime() + slotLeaseMs), queued_at: null })
      .where('workspace_id', '=', workspace_id)
      .where('account_id', '=', accountId)
      .returning(['account_id', 'member_id', 'platform_id', 'read_from', 'read_to', 'is_complete', 'step_seconds'])
      .executeTakeFirst()
    if (!row) return 'taken'
    const { read_from, read_to, is_complete, step_seconds, ...of } = row
    const seconds = (moment: Date | null) => (moment === null ? null : Math.floor(moment.getTime() / 1000))
    const progress = { readFrom: seconds(read_from), readTo: seconds(read_to), isComplete: is_complete }
    const { platform_login: login, platform_registered_at, currency } = account
    return { ...of, ...progress, readerId, login, platform_registered_at, currency, stepSeconds: step_seconds }
  })
}

function ownRow(tx: Tx, system: System, reader: Reader) {
  return tx
    .updateTable('trade_histories')
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', reader.account_id)
    .where('reader_id', '=', reader.readerId)
}

/** Returns false when another reader took the slot, because this one seemed dead. */
export async function renewReaderSlot(system: System, reader: Reader): Promise<boolean> {
  const until = new Date(system.context.clock.now().getTime() + slotLeaseMs)
  const renewed = await inTransaction(system, (tx) =>
    ownRow(tx, system, reader).set({ reader_until: until }).executeTakeFirst(),
  )
  return renewed.numUpdatedRows > 0n
}

/** The heartbeat interval of a reader. */
export const renewEveryMs = slotLeaseMs / 3

/** Stores how far the history is read. False when the slot is lost, which discards the progress. */
export async function keepProgress(tx: Tx, system: System, reader: Reader): Promise<boolean> {
  const moment = (seconds: Utc | null) => (seconds === null ? null : new Date(seconds * 1000))
  const written = await ownRow(tx, system, reader)
    .set({
      read_from: moment(reader.readFrom),
      read_to: moment(reader.readTo),
      is_complete: reader.isComplete,
      step_seconds: reader.stepSeconds,
      read_at: system.context.clock.now(),
      failing_since: null,
    })
    .executeTakeFirst()
  return written.numUpdatedRows > 0n
}

type Leaving = { failed: boolean; goesOn: boolean }

/** Releases the slot; enqueues the next job in the same transaction when there is more to read. */
export function releaseReaderSlot(system: System, reader: Reader, { failed, goesOn }: Leaving): Promise<void> {
  return inTransaction(system, async (tx) => {
    const now = system.context.clock.now()
    const left = await ownRow(tx, system, reader)
      .set({ reader_id: null, reader_until: null })
      .$if(failed, (update) => update.set({ failing_since: sql<Date>`coalesce(failing_since, ${now})` }))
      .$if(goesOn, (update) => update.set({ queued_at: now }))
      .executeTakeFirst()
    if (goesOn && left.numUpdatedRows > 0n) await enqueueReading(tx, system, reader.account_id)
  })
}
