import type { auditEntry, exportAudit, listAudit } from '@atrium/contract/desk-audit.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, listing, reading, type Tx } from '../foundation/database.ts'
import { cutPage, readTimeMark } from '../foundation/page-mark.ts'
import { type Between, momentsOf } from '../workspaces/today.ts'
import { type NamesInLog, readNames } from './names.ts'

export type AuditFilter = z.output<(typeof exportAudit)['input']>
type Entry = z.output<typeof auditEntry>

/** What happened in the brokerage, newest first: who did what to whom, and what it was before and after. */
export async function listEntries(staff: Staff, asked: z.output<(typeof listAudit)['input']>) {
  authorizeStaff(staff, 'audit.read')
  return listing(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    return { entries: rows, names: Object.fromEntries(await readNames(tx, staff, rows)), next, previous }
  })
}

export async function exportEntries(staff: Staff, filter: AuditFilter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'audit.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'audit.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      after: { ...filter },
    }),
  )
  return writeTable(staff, filter)
}

const exportedAtOnce = 500
const heads = [
  ...[
    'When (UTC)',
    'Who',
    'Kind',
    'What',
    'Of',
    'Number or name',
    'Amount',
    'Currency',
    'Id',
    'Member',
    'Before',
    'After',
  ],
  'Address',
]

async function* writeTable(staff: Staff, filter: AuditFilter): AsyncIterable<string> {
  yield csvMark + csvLine(heads)
  let after: string | undefined
  do {
    const page = await listing(staff, async (tx) => {
      const { rows, next } = await readPage(tx, staff, { ...filter, limit: exportedAtOnce, after })
      return { rows, next, names: await readNames(tx, staff, rows) }
    })
    yield page.rows.map((row) => tableLine(row, page.names)).join('')
    after = page.next ?? undefined
  } while (after)
}

function tableLine({ actor, subject, member, ...entry }: Entry, names: NamesInLog): string {
  const named = names.get(subject._id)
  const details = (value: Entry['before']) => (value === null ? '' : JSON.stringify(value))
  return csvLine([
    new Date(entry.at).toISOString(),
    actor.name ?? '',
    actor.kind,
    entry.action,
    subject.kind,
    named?.name ?? '',
    named?.amount ?? '',
    named?.currency ?? '',
    subject._id,
    member?.customer_number ?? '',
    details(entry.before),
    details(entry.after),
    entry.address,
  ])
}

/** What there is to choose from: colleagues, and every action that was ever done here. */
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

/** From one action to the next along the index: a distinct over millions of rows would read them all. */
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

type Asked = AuditFilter & { limit: number; after?: string | undefined; before?: string | undefined }

/** The actions of a noun are named one by one, so that the index and its statistics know how many there are. */
async function actionsOf(tx: Tx, staff: Staff, action: string | undefined): Promise<string[] | null> {
  if (!action) return null
  if (action.includes('.') && !action.endsWith('.')) return [action]
  const noun = `${action.replace('.', '')}.`
  return (await listActions(tx, staff)).filter((each) => each.startsWith(noun))
}

/** Entries of older versions name nobody where somebody proved who they are before they had a session: it is whom they are about. */
const provenBySubject = sql<boolean>`(entry.actor_kind = 'system' and entry.subject_kind in ('member', 'staff')
  and entry.action in ('session.opened', 'second-factor.asked', 'recovery-code.used', 'password.reset'))`
const actorKind = sql<string>`case when ${provenBySubject} then entry.subject_kind else entry.actor_kind end`
const actorId = sql<string | null>`case when ${provenBySubject} then entry.subject_id else entry.actor_id end`

type Narrowed = Omit<AuditFilter, 'action' | 'from' | 'to'> & Between & { actions: string[] | null }

function filtered(tx: Tx, staff: Staff, filter: Narrowed) {
  let rows = tx.selectFrom('audit_log as entry').where('entry.workspace_id', '=', staff.workspaceId)
  const { actor, actions } = filter
  if (actor === 'staff' || actor === 'member' || actor === 'system') rows = rows.where(actorKind, '=', actor)
  else if (actor) rows = rows.where('entry.actor_id', '=', actor)
  if (actions) rows = rows.where(sql<boolean>`entry.action = any(${actions}::text[])`)
  if (filter.member) rows = rows.where('entry.member_id', '=', filter.member)
  if (filter.subject) rows = rows.where('entry.subject_kind', '=', filter.subject)
  if (filter.since) rows = rows.where('entry.at', '>=', filter.since)
  if (filter.until) rows = rows.where('entry.at', '<', filter.until)
  return rows
}

async function readPage(tx: Tx, staff: Staff, asked: Asked) {
  const isRising = asked.before !== undefined
  const direction = isRising ? 'asc' : 'desc'
  const mark = asked.before ?? asked.after
  const actions = await actionsOf(tx, staff, asked.action)
  const rows = await filtered(tx, staff, { ...asked, ...(await momentsOf(tx, staff, asked)), actions })
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
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', isRising)))
    .orderBy('entry.at', direction)
    .orderBy('entry.audit_id', direction)
    .limit(asked.limit + 1)
    .execute()
  return cutPage(rows.map(shape), asked, (entry) => ({ value: String(entry.at), id: entry._id }))
}

function beyond(mark: string, isRising: boolean) {
  const than = sql.raw(isRising ? '>' : '<')
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(entry.at ${than}= ${at} and (entry.at ${than} ${at} or entry.audit_id ${than} ${id}::uuid))`
}

type Found = {
  audit_id: string
  at: Date
  actor_kind: string
  actor_id: string | null
  action: string
  subject_kind: string
  subject_id: string
  before: unknown
  after: unknown
  staff_name: string | null
  member_id: string | null
  first_name: string | null
  last_name: string | null
  customer_number: string | null
  address: string | null
}

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
