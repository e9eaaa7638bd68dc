import { reconciliationTexts } from '@atrium/contract/reconciliation/desk-calls.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { holdName } from '../foundation/database/named-lock.ts'
import { dayIn, spanOf } from '../foundation/days.ts'
import { refuse } from '../foundation/errors.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { readZone } from '../workspaces/today.ts'
import { daysBefore } from './day.ts'

export const askingForDay = definePolicy({
  name: 'reconciliation.ask',
  right: 'money.decide',
  selfApproval: 'no-member',
  approvals: 'one',
  why: 'The day is read and compared again; only the comparison changes.',
})

/** A reading untouched for this long was abandoned by its process. */
export const abandonedMs = 2 * 60_000
/** Every night compares this many past days again, to include late events. */
const daysChecked = 3
const againAfterProblemMs = 15 * 60_000
/** Before these, days on which a platform could not be read are asked for again for this long. */
const daysCaughtUp = 31

/** Starts a comparison for staff or the operator, unless one is running. */
export async function askForDay(asking: Staff | System, day: string): Promise<void> {
  if (asking.kind === 'staff') authorizeStaff(asking, askingForDay.right)
  await inTransaction(asking, async (tx) => {
    if (asking.kind === 'staff') await decide(tx, asking, askingForDay, { memberId: null })
    const zone = await readZone(tx, asking)
    const now = asking.context.clock.now()
    if (day > dayIn(now, zone)) refuse('illegal_move', reconciliationTexts.futureDay)
    const known = await lockDay(tx, asking, day)
    if (known?.state === 'asked' && now.getTime() - known.touched_at.getTime() < abandonedMs) return
    await writeDay(tx, asking, { day, zone, askedBy: asking.kind === 'staff' ? asking.staffId : null })
    await audit(tx, asking, {
      action: 'reconciliation.asked',
      subject: { kind: 'workspace', id: asking.workspaceId },
      after: { day },
    })
  })
  asking.context.jobs.wake('reconciliation.read-day')
}

type Known = { state: string; touched_at: Date }

async function lockDay(tx: Tx, actor: Staff | System, day: string): Promise<Known | undefined> {
  await holdName(tx, `reconciliation-${actor.workspaceId}-${day}`)
  const found = await sql<Known>`
    select d.state, greatest(d.asked_at, (select max(r.touched_at) from reconciliation_readings r
      where r.workspace_id = d.workspace_id and r.day = d.day)) as touched_at
    from reconciliation_days d
    where d.workspace_id = ${actor.workspaceId}::uuid and d.day = ${day}
    for update of d`.execute(tx)
  return found.rows[0]
}

type Asked = { day: string; zone: string; askedBy: string | null }

async function writeDay(tx: Tx, actor: Staff | System, { day, zone, askedBy }: Asked): Promise<void> {
  const { from, to } = await spanOf(tx, day, zone)
  const { workspaceId } = actor
  const set = { state: 'asked', asked_at: actor.context.clock.now(), asked_by: askedBy, starts_at: from, ends_at: to }
  await tx
    .insertInto('reconciliation_days')
    .values({ workspace_id: workspaceId, day, ...set })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'day']).doUpdateSet(set))
    .execute()
  // An interrupted reading resumes, unless the day goes on; a finished one starts again, unless its platform is switched off by now.
  // Which accounts were not read stays with `read_to` until each is read again, since the next reading may fail.
  await sql`
    update reconciliation_readings reading set last_account = null, accounts_read = 0, is_complete = false,
      problem = null
    from trading_platforms platform
    where reading.workspace_id = ${workspaceId}::uuid and reading.day = ${day}
      and (reading.is_complete or reading.problem is not null or ${to > set.asked_at})
      and platform.workspace_id = reading.workspace_id and platform.platform_id = reading.platform_id
      and platform.enabled`.execute(tx)
  await actor.context.jobs.enqueue(tx, 'reconciliation.read-day', { workspaceId, id: day })
}

/** Days that the program compares by itself, in any order. */
export async function askForDays(tx: Tx, system: System, moments: readonly Date[]): Promise<void> {
  const zone = await readZone(tx, system)
  for (const day of new Set(moments.map((at) => dayIn(at, zone))))
    await writeDay(tx, system, { day, zone, askedBy: null })
}

/** The nightly comparisons and abandoned readings. Idempotent and safe in several processes. */
export async function askForDue(system: System): Promise<void> {
  await inTransaction(system, async (tx) => {
    const zone = await readZone(tx, system)
    const now = system.context.clock.now()
    for (let back = 1; back <= daysChecked; back++) {
      const day = daysBefore(dayIn(now, zone), back)
      if (await isDue(tx, system, day, zone)) await writeDay(tx, system, { day, zone, askedBy: null })
    }
    const unread = await findUnread(tx, system, daysBefore(dayIn(now, zone), daysChecked))
    if (unread !== null) await writeDay(tx, system, { day: unread, zone, askedBy: null })
    await goOnWithAbandoned(tx, system)
  })
}

/** The oldest day of a longer outage, once its platform was read since the day was asked for; one a round. */
async function findUnread(tx: Tx, { workspaceId }: System, before: string): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    select d.day from reconciliation_days d
    join reconciliation_readings r on r.workspace_id = d.workspace_id and r.day = d.day and r.problem is not null
    join trading_platforms p on p.workspace_id = r.workspace_id and p.platform_id = r.platform_id and p.enabled
    where d.workspace_id = ${workspaceId}::uuid and d.state = 'compared' and d.day < ${before}
      and d.day >= ${daysBefore(before, daysCaughtUp)}
      and exists (select from reconciliation_readings later where later.workspace_id = r.workspace_id
        and later.platform_id = r.platform_id and later.is_complete and later.read_at > d.asked_at)
    order by d.day limit 1`.execute(tx)
  return rows[0]?.day ?? null
}

async function isDue(tx: Tx, system: System, day: string, zone: string): Promise<boolean> {
  const now = system.context.clock.now()
  const today = await spanOf(tx, dayIn(now, zone), zone)
  const row = await tx
    .selectFrom('reconciliation_days as asked')
    .select(['asked.state', 'asked.compared_at', 'asked.asked_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('reconciliation_readings as reading')
          .innerJoin('trading_platforms as platform', (join) =>
            join
              .onRef('platform.workspace_id', '=', 'reading.workspace_id')
              .onRef('platform.platform_id', '=', 'reading.platform_id'),
          )
          .select('reading.day')
          .whereRef('reading.workspace_id', '=', 'asked.workspace_id')
          .whereRef('reading.day', '=', 'asked.day')
          .where('reading.problem', 'is not', null)
          .where('platform.enabled', '=', true),
      ).as('has_problem'),
    )
    .where('asked.workspace_id', '=', system.workspaceId)
    .where('asked.day', '=', day)
    .executeTakeFirst()
  if (!row) return true
  if (row.state === 'asked') return false
  if (row.compared_at === null || row.compared_at < today.from) return true
  return Boolean(row.has_problem) && now.getTime() - row.asked_at.getTime() > againAfterProblemMs
}

async function goOnWithAbandoned(tx: Tx, system: System): Promise<void> {
  const { workspaceId } = system
  const before = new Date(system.context.clock.now().getTime() - abandonedMs)
  const { rows } = await sql<{ day: string }>`
    select d.day from reconciliation_days d
    where d.workspace_id = ${workspaceId}::uuid and d.state = 'asked' and d.asked_at < ${before}
      and not exists (select from reconciliation_readings r
        where r.workspace_id = d.workspace_id and r.day = d.day and r.touched_at >= ${before})`.execute(tx)
  for (const { day } of rows) await system.context.jobs.enqueue(tx, 'reconciliation.read-day', { workspaceId, id: day })
}
