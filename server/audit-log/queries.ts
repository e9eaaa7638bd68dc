import type { auditEntry } from '@atrium/contract/audit-log/desk-calls.ts'
import { auditList } from '@atrium/contract/audit-log/desk-list.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import type { Cell } from '../foundation/csv.ts'
import { listing, reading, type Tx } from '../foundation/database/database.ts'
import { condition, defineList } from '../foundation/list.ts'
import { momentsOf } from '../workspaces/today.ts'
import { type NamesInLog, readNames } from './names.ts'

type Entry = z.output<typeof auditEntry>

const heads = [
  ...['When (UTC)', 'Who', 'Kind', 'What', 'Of', 'Number or name', 'Amount', 'Currency', 'Id', 'Member', 'Before'],
  ...['After', 'Address'],
]

function cellsOf({ actor, subject, member, ...entry }: Entry, names: NamesInLog): Cell[] {
  const named = names.get(subject._id)
  const details = (value: Entry['before']) => (value === null ? '' : JSON.stringify(value))
  return [
    ...[new Date(entry.at).toISOString(), actor.name ?? '', actor.kind, entry.action, subject.kind],
    ...[named?.name ?? '', named?.amount ?? '', named?.currency ?? '', subject._id, member?.customer_number ?? ''],
    ...[details(entry.before), details(entry.after), entry.address],
  ]
}

/** The audit entries of the brokerage, newest first: actor, subject, and the values before and after. */
export const auditLog = defineList({
  list: auditList,
  right: 'audit.read',
  table: 'audit_log as entry',
  id: 'entry.audit_id',
  select,
  filters: {
    actor: (actor) =>
      ['staff', 'member', 'system'].includes(actor)
        ? condition`${actorKind} = ${actor}`
        : condition`entry.actor_id = ${actor}::uuid`,
    action: async (action, { tx, staff }) =>
      condition`entry.action = any(${await actionsOf(tx, staff, action)}::text[])`,
    member: (member) => condition`entry.member_id = ${member}::uuid`,
    subject: (subject) => condition`entry.subject_kind = ${subject}`,
    from: async (from, { tx, staff }) => condition`entry.at >= ${(await momentsOf(tx, staff, { from })).since}`,
    to: async (to, { tx, staff }) => condition`entry.at < ${(await momentsOf(tx, staff, { to })).until}`,
  },
  sort: () => ({ column: 'entry.at', direction: 'desc', at: (entry) => entry.at }),
  shape,
  read: listing,
  isCounted: false,
  beside: async ({ tx, staff, rows }) => ({ names: Object.fromEntries(await readNames(tx, staff, await rows())) }),
  readTable: async (staff) => ({
    heads,
    async cells(tx, rows) {
      const names = await readNames(tx, staff, rows)
      return rows.map((row) => cellsOf(row, names))
    },
  }),
})

/** The choices of the filters: colleagues, and every action that occurs in the log. */
export async function readChoices(staff: Staff) {
  authorizeStaff(staff, 'audit.read')
  return reading(staff, async (tx) => {
    const colleagues = await tx
      .selectFrom('staff_users')
      .select(['staff_id as _id', 'name'])
      .where('workspace_id', '=', staff.workspaceId)
      .orderBy('name')
      .limit(1_000)
      .execute()
    return { staff: colleagues, actions: await listActions(tx, staff) }
  })
}

/** Skips from one action to the next along the index; a `distinct` would read millions of rows. */
async function listActions(tx: Tx, staff: Staff): Promise<string[]> {
  const here = sql`workspace_id = ${staff.workspaceId}::uuid`
  const found = await sql<{ action: string }>`
    with recursive known (action) as (
      (select action from audit_log where ${here} order by action limit 1)
      union all
      select (select log.action from audit_log as log
        where log.workspace_id = ${staff.workspaceId}::uuid and log.action > known.action order by log.action limit 1)
      from known where known.action is not null
    ) select action from known where action is not null limit 500`.execute(tx)
  return found.rows.map((row) => row.action)
}

/** Lists the actions of a noun one by one, so that the planner can use the index and estimate their number. */
async function actionsOf(tx: Tx, staff: Staff, action: string): Promise<string[]> {
  if (action.includes('.') && !action.endsWith('.')) return [action]
  const noun = `${action.replace('.', '')}.`
  return (await listActions(tx, staff)).filter((each) => each.startsWith(noun))
}

/** Entries of older versions name no actor for steps before a session, such as a second factor: the actor is their subject. */
const provenBySubject = sql<boolean>`(entry.actor_kind = 'system' and entry.subject_kind in ('member', 'staff')
  and entry.action in ('session.opened', 'second-factor.asked', 'recovery-code.used', 'password.reset'))`
const actorKind = sql<string>`case when ${provenBySubject} then entry.subject_kind else entry.actor_kind end`
const actorId = sql<string | null>`case when ${provenBySubject} then entry.subject_id else entry.actor_id end`

function select(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('audit_log as entry')
    .leftJoin('members as member', (join) =>
      join.onRef('member.workspace_id', '=', 'entry.workspace_id').onRef('member.member_id', '=', 'entry.member_id'),
    )
    .leftJoin('staff_users as colleague', (join) =>
      join.onRef('colleague.workspace_id', '=', 'entry.workspace_id').on('colleague.staff_id', '=', actorId),
    )
    .select(['entry.audit_id', 'entry.at', 'entry.action', 'entry.subject_kind'])
    .select([actorKind.as('actor_kind'), actorId.as('actor_id')])
    .select(['entry.subject_id', 'entry.before', 'entry.after', 'colleague.name as staff_name', 'member.member_id'])
    .select(['member.first_name', 'member.last_name', 'member.customer_number'])
    .select(sql<string | null>`host(entry.address)`.as('address'))
    .where('entry.workspace_id', '=', staff.workspaceId)
}

type Found = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function shape(row: Found): Entry {
  const name = `${row.first_name ?? ''} ${row.last_name ?? ''}`
  const member = row.member_id ? { _id: row.member_id, name, customer_number: row.customer_number ?? '' } : null
  return {
    _id: row.audit_id,
    at: row.at.getTime(),
    actor: {
      kind: row.actor_kind as Entry['actor']['kind'],
      _id: row.actor_id,
      name: row.actor_kind === 'member' ? (member?.name ?? null) : row.staff_name,
    },
    action: row.action,
    subject: { kind: row.subject_kind, _id: row.subject_id },
    member,
    before: row.before as Entry['before'],
    after: row.after as Entry['after'],
    address: row.address,
  }
}
