import type { deskOpeningRow, exportOpenings, listOpeningsAtDesk } from '@atrium/contract/desk-openings.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { meetsSearch, searchWords } from '../foundation/member-words.ts'
import { cutPage, readTimeMark } from '../foundation/page-mark.ts'
import { listPlatformNames } from '../trading-platforms/platform-names.ts'
import { openingColumns, selectOpenings, shapeOpening } from './desk-queries.ts'

type Filter = z.output<(typeof exportOpenings)['input']>
type Listing = z.output<(typeof listOpeningsAtDesk)['input']>
type Row = z.output<typeof deskOpeningRow>
type Asked = Filter & { limit: number; after?: string | undefined; before?: string | undefined }

/** A page of what all members have asked to have opened, the newest first, whatever became of it. */
export async function listDeskOpenings(staff: Staff, asked: Listing) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    const total = await countOpenings(tx, staff, asked)
    return { openings: rows, next, previous, total, platforms: await listPlatformNames(tx, staff) }
  })
}

export function readDeskOpening(staff: Staff, openingId: string): Promise<Row> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await select(tx, staff).where('opening.opening_id', '=', openingId).executeTakeFirst()
    return row ? shape(row) : refuseNotFound()
  })
}

/** The same openings as a table. Who took it away and by which filters is written down first. */
export async function exportDeskOpenings(staff: Staff, filter: Filter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'openings.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's name or number; that it was searched is enough.
      after: { ...filter, q: filter.q === undefined ? undefined : '…' },
    }),
  )
  return writeTable(staff, filter)
}

const exportedAtOnce = 500
const heads = [
  'Asked for',
  'Ended',
  'State',
  'Kind',
  'Platform',
  'Group',
  'Leverage',
  'Login',
  'Customer number',
  'Name',
]

async function* writeTable(staff: Staff, filter: Filter): AsyncIterable<string> {
  yield csvMark + csvLine([...heads, 'Tag', 'Cause', 'What the platform said'])
  let after: string | undefined
  do {
    // A transaction of its own for each part: a slow reader holds no connection while it reads.
    const page = await reading(staff, (tx) => readPage(tx, staff, { ...filter, limit: exportedAtOnce, after }))
    yield page.rows.map(tableLine).join('')
    after = page.next ?? undefined
  } while (after)
}

function tableLine({ member, ...row }: Row): string {
  const moment = (at: number | null) => (at === null ? '' : new Date(at).toISOString())
  return csvLine([
    ...[moment(row.created_at), moment(row.ended_at), row.state, row.kind, row.platform, row.group, row.leverage],
    ...[row.login, member.customer_number, member.name, row.tag, row.problem, row.platform_text],
  ])
}

function select(tx: Tx, staff: Staff) {
  return selectOpenings(tx, staff)
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'opening.workspace_id').onRef('owner.member_id', '=', 'opening.member_id'),
    )
    .select(openingColumns)
    .select(['opening.account_id', 'opening.looked_at', 'opening.asked_again_at'])
    .select(['owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
}

type Selected = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

const shape = (row: Selected): Row => ({
  ...shapeOpening(row),
  member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
  account_id: row.account_id,
  looked_at: row.looked_at?.getTime() ?? null,
  asked_again_at: row.asked_again_at?.getTime() ?? null,
})

async function meets(tx: Tx, staff: Staff, filter: Filter) {
  const conditions = [sql`opening.workspace_id = ${staff.workspaceId}::uuid`]
  if (filter.state) conditions.push(sql`opening.state = ${filter.state}`)
  if (filter.kind) conditions.push(sql`opening.kind = ${filter.kind}`)
  if (filter.platform) conditions.push(sql`opening.platform_id = ${filter.platform}::uuid`)
  if (filter.q) conditions.push(meetsSearch(await searchWords(tx, staff, filter.q), 'opening'))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

async function readPage(tx: Tx, staff: Staff, asked: Asked) {
  const isRising = asked.before !== undefined
  const mark = asked.before ?? asked.after
  const rows = await select(tx, staff)
    .where(await meets(tx, staff, asked))
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', isRising)))
    .orderBy('opening.created_at', isRising ? 'asc' : 'desc')
    .orderBy('opening.opening_id', isRising ? 'asc' : 'desc')
    .limit(asked.limit + 1)
    .execute()
  return cutPage(rows.map(shape), asked, (row) => ({ value: String(row.created_at), id: row._id }))
}

function beyond(mark: string, isRising: boolean) {
  const than = sql.raw(isRising ? '>' : '<')
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(opening.created_at ${than}= ${at}
    and (opening.created_at ${than} ${at} or opening.opening_id ${than} ${id}::uuid))`
}

async function countOpenings(tx: Tx, staff: Staff, filter: Filter): Promise<number> {
  const met = await meets(tx, staff, filter)
  const { total } = await tx
    .selectFrom(
      tx
        .selectFrom('account_openings as opening')
        .select('opening.opening_id')
        .where(met)
        .limit(limits.countedMax)
        .as('counted'),
    )
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
