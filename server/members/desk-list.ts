import type { deskMemberRow, exportMembers, listMembers } from '@atrium/contract/desk-members.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { DocumentsStatus, MemberStatus } from '@atrium/contract/member-states.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { leavesOut, meetsSearch, searchWords, someWith, type WordSearch } from '../foundation/member-words.ts'
import { cutPage, type PageMark, readMark, readTimeMark } from '../foundation/page-mark.ts'
import { type Between, momentsOf } from '../workspaces/today.ts'

export type MemberFilter = z.output<(typeof exportMembers)['input']>
export type MemberListing = z.output<(typeof listMembers)['input']>
type Row = z.output<typeof deskMemberRow>
type Found = Row & { sort_name: string }

/** A page of the brokerage's members, by what they are called, how they stand and when they came. */
export async function listDeskMembers(staff: Staff, asked: MemberListing) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const searched = await searchWords(tx, staff, asked.q)
    const between = { ...asked, ...(await momentsOf(tx, staff, asked)) }
    const { rows, next, previous } = await readPage(tx, staff, between, searched)
    return { members: rows.map(withoutSortName), next, previous, ...(await countMembers(tx, staff, between, searched)) }
  })
}

/** The same members as a table. Who took it away and by which filters is written down first. */
export async function exportDeskMembers(staff: Staff, filter: MemberFilter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'members.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's name or number; that it was searched is enough.
      after: { ...filter, q: filter.q === undefined ? undefined : '…' },
    }),
  )
  return writeTable(staff, filter)
}

const exportedAtOnce = 500

async function* writeTable(staff: Staff, filter: MemberFilter): AsyncIterable<string> {
  yield csvMark +
    csvLine(['Customer number', 'Name', 'Email', 'Status', 'Documents', 'Joined', 'Live accounts', 'Demo accounts'])
  let after: string | undefined
  do {
    // A transaction of its own for each part: a slow reader holds no connection while it reads.
    const page = await reading(staff, async (tx) => {
      const between = { ...filter, ...(await momentsOf(tx, staff, filter)) }
      return readPage(tx, staff, { ...between, limit: exportedAtOnce, after }, await searchWords(tx, staff, filter.q))
    })
    yield page.rows.map(tableLine).join('')
    after = page.next ?? undefined
  } while (after)
}

function tableLine(row: Row): string {
  const joined = new Date(row.created_at).toISOString().slice(0, 10)
  const facts = [row.customer_number, row.name, row.email, row.status, row.documents_status, joined]
  return csvLine([...facts, row.live_count, row.demo_count])
}

function withoutSortName({ sort_name: _, ...row }: Found): Row {
  return row
}

const countAccounts = (isLive: boolean) => sql<number>`(
  select count(*)::int from trading_accounts as account
  where account.workspace_id = members.workspace_id and account.member_id = members.member_id
    and account.live_account = ${isLive} and not account.deleted)`

function filtered(tx: Tx, staff: Staff, filter: MemberFilter & Between, searched: WordSearch) {
  let rows = tx.selectFrom('members').where('members.workspace_id', '=', staff.workspaceId)
  if (filter.status) rows = rows.where('status', '=', filter.status)
  if (filter.documents) rows = rows.where('documents_status', '=', filter.documents)
  if (filter.since) rows = rows.where('created_at', '>=', filter.since)
  if (filter.until) rows = rows.where('created_at', '<', filter.until)
  if (filter.type) rows = rows.where('type', '=', filter.type)
  if (filter.referrer) rows = rows.where('referred_by', '=', filter.referrer)
  if (filter.accounts) rows = rows.where(holdsAccounts(filter.accounts))
  return rows.where(meetsSearch(searched, 'members'))
}

function holdsAccounts(kind: 'live' | 'demo' | 'none') {
  const anyOf = (condition: ReturnType<typeof sql>) => sql`exists (
    select from trading_accounts as account
    where account.workspace_id = members.workspace_id and account.member_id = members.member_id
      and not account.deleted and ${condition})`
  if (kind === 'none') return sql<boolean>`not ${anyOf(sql`true`)}`
  return sql<boolean>`${anyOf(kind === 'live' ? sql`account.live_account` : sql`not account.live_account`)}`
}

type Asked = MemberFilter & Between & { limit: number; after?: string | undefined; before?: string | undefined }

async function readPage(tx: Tx, staff: Staff, asked: Asked, searched: WordSearch) {
  const isByName = asked.order === 'name'
  const isRising = (asked.order === 'newest') === (asked.before !== undefined)
  const direction = isRising ? 'asc' : 'desc'
  const mark = asked.before ?? asked.after
  const rows = await filtered(tx, staff, asked, searched)
    .select(['member_id', 'first_name', 'last_name', 'sort_name', 'customer_number', 'email', 'status'])
    .select(['documents_status', 'created_at'])
    .select([countAccounts(true).as('live_count'), countAccounts(false).as('demo_count')])
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', { isByName, isRising })))
    .orderBy(isByName ? 'sort_name' : 'created_at', direction)
    .orderBy('member_id', direction)
    .limit(asked.limit + 1)
    .execute()
  const shaped = rows.map(
    (row): Found => ({
      _id: row.member_id,
      name: `${row.first_name} ${row.last_name}`,
      customer_number: row.customer_number,
      email: row.email,
      status: row.status as MemberStatus,
      documents_status: row.documents_status as DocumentsStatus,
      created_at: row.created_at.getTime(),
      live_count: row.live_count,
      demo_count: row.demo_count,
      sort_name: row.sort_name,
    }),
  )
  return cutPage(shaped, asked, (row) => markOf(row, isByName))
}

const markOf = (row: Found, isByName: boolean): PageMark => ({
  value: isByName ? row.sort_name.slice(0, 300) : String(row.created_at),
  id: row._id,
})

function beyond(mark: string, { isByName, isRising }: { isByName: boolean; isRising: boolean }) {
  const than = sql.raw(isRising ? '>' : '<')
  if (isByName) {
    const { value, id } = readMark(mark)
    return sql<boolean>`(sort_name ${than}= ${value} and (sort_name ${than} ${value} or member_id ${than} ${id}::uuid))`
  }
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(created_at ${than}= ${at} and (created_at ${than} ${at} or member_id ${than} ${id}::uuid))`
}

async function countMembers(tx: Tx, staff: Staff, filter: MemberFilter, searched: WordSearch) {
  const some = someWith(staff, searched)
  const rows = filtered(tx, staff, filter, searched)
  const counted = some ? rows.where('member_id', 'in', some) : rows
  const { total } = await tx
    .selectFrom(counted.select('member_id').limit(limits.countedMax).as('counted'))
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { total, total_is_least: some !== null && total < limits.countedMax && (await leavesOut(tx, some)) }
}
