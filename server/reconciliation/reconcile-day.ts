import { isSame } from '@atrium/contract/money/money.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import type { Span } from '../foundation/days.ts'
import { newId } from '../foundation/ids.ts'
import { compareSides, type Found, type Sum } from './comparison.ts'
import { beginReadings, type Day, reachOf, readPlatform } from './reading.ts'
import { readSides } from './sides.ts'

/** Reconciles a requested day: reads every platform, then compares and stores the result. Idempotent. */
export async function reconcileDay(system: System, day: string): Promise<void> {
  const asked = await reading(system, (tx) => findAsked(tx, system, day))
  if (!asked) return
  const platforms = await inTransaction(system, (tx) => beginReadings(tx, system, asked))
  await Promise.all(platforms.map((place) => readPlatform(system, asked, place)))
  await inTransaction(system, (tx) => compareDay(tx, system, asked))
}

async function findAsked(tx: Tx, system: System, day: string): Promise<Day | null> {
  const row = await tx
    .selectFrom('reconciliation_days')
    .select(['starts_at', 'ends_at', 'state', 'asked_at'])
    .where('workspace_id', '=', system.workspaceId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.state === 'asked' ? { day, from: row.starts_at, to: row.ends_at, askedAt: row.asked_at } : null
}

async function compareDay(tx: Tx, system: System, asked: Day): Promise<void> {
  const { day } = asked
  const row = await tx
    .selectFrom('reconciliation_days')
    .select('state')
    .where('workspace_id', '=', system.workspaceId)
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirst()
  // One process compares, and only when no reading is unfinished in another one.
  if (row?.state !== 'asked' || (await isUnread(tx, system, day))) return
  const span: Span = { from: asked.from, to: await reachOfAll(tx, system, asked) }
  const { sums, found } = compareSides(await readSides(tx, system, day, span))
  await keepSums(tx, system, day, sums)
  const now = system.context.clock.now()
  for (const one of found) await keepFound(tx, system, day, one, now)
  await endVanished(tx, system, day, now)
  await tx
    .updateTable('reconciliation_days')
    .set({ state: 'compared', compared_at: now })
    .where('workspace_id', '=', system.workspaceId)
    .where('day', '=', day)
    .execute()
  await audit(tx, system, {
    action: 'reconciliation.compared',
    subject: { kind: 'workspace', id: system.workspaceId },
    after: { day, differences: found.length },
  })
}

/** The time up to which all platforms that could be read have been read. */
async function reachOfAll(tx: Tx, system: System, asked: Day): Promise<Date> {
  const { reach } = await tx
    .selectFrom('reconciliation_readings as reading')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'reading.workspace_id')
        .onRef('platform.platform_id', '=', 'reading.platform_id'),
    )
    .select(({ fn }) => fn.min('reading.read_to').as('reach'))
    .where('reading.workspace_id', '=', system.workspaceId)
    .where('reading.day', '=', asked.day)
    .where('reading.is_complete', '=', true)
    .where('platform.enabled', '=', true)
    .executeTakeFirstOrThrow()
  return reach ?? reachOf(system.context.clock.now(), asked)
}

/** A platform that was switched off meanwhile is not waited for: nothing reads it any more. */
async function isUnread(tx: Tx, system: System, day: string): Promise<boolean> {
  const row = await tx
    .selectFrom('reconciliation_readings as reading')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'reading.workspace_id')
        .onRef('platform.platform_id', '=', 'reading.platform_id'),
    )
    .select('reading.platform_id')
    .where('reading.workspace_id', '=', system.workspaceId)
    .where('reading.day', '=', day)
    .where('reading.is_complete', '=', false)
    .where('reading.problem', 'is', null)
    .where('platform.enabled', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

async function keepSums(tx: Tx, system: System, day: string, sums: Sum[]): Promise<void> {
  const place = { workspace_id: system.workspaceId, day }
  await tx
    .deleteFrom('reconciliation_sums')
    .where('workspace_id', '=', place.workspace_id)
    .where('day', '=', day)
    .execute()
  if (sums.length > 0)
    await tx
      .insertInto('reconciliation_sums')
      .values(sums.map((sum) => ({ ...place, ...sum })))
      .execute()
}

/** Keeps an explained mismatch explained while its amounts are unchanged; otherwise it is open again. */
async function keepFound(tx: Tx, system: System, day: string, found: Found, seen_at: Date): Promise<void> {
  const place = { workspace_id: system.workspaceId, day, kind: found.kind, subject: found.subject }
  const before = await tx
    .selectFrom('reconciliation_differences')
    .select(['difference_id', 'state', 'portal', 'provider', 'platform'])
    .where('workspace_id', '=', place.workspace_id)
    .where('day', '=', day)
    .where('kind', '=', found.kind)
    .where('subject', '=', found.subject)
    // Waits for staff who are explaining it, whose explanation would be overwritten.
    .forUpdate()
    .executeTakeFirst()
  if (!before) {
    const row = { ...place, ...found, difference_id: newId(), found_at: seen_at, seen_at }
    await tx.insertInto('reconciliation_differences').values(row).execute()
    return
  }
  const isAsBefore = (['portal', 'provider', 'platform'] as const).every((side) =>
    isSameSide(before[side], found[side] ?? null),
  )
  await tx
    .updateTable('reconciliation_differences')
    .set({ ...found, seen_at, ...(!(before.state === 'explained' && isAsBefore) && { state: 'open' }) })
    .where('workspace_id', '=', place.workspace_id)
    .where('difference_id', '=', before.difference_id)
    .execute()
}

const isSameSide = (before: string | null, after: string | null): boolean =>
  before === null || after === null ? before === after : isSame(before, after)

/** Closes open mismatches that this comparison did not find. */
async function endVanished(tx: Tx, system: System, day: string, now: Date): Promise<void> {
  await tx
    .updateTable('reconciliation_differences')
    .set({ state: 'vanished' })
    .where('workspace_id', '=', system.workspaceId)
    .where('day', '=', day)
    .where('state', '=', 'open')
    .where('seen_at', '<', now)
    .execute()
}
