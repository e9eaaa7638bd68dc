import { limits } from '@atrium/contract/limits.ts'
import type { deskMemberRow } from '@atrium/contract/members/desk-calls.ts'
import { membersList } from '@atrium/contract/members/desk-list.ts'
import type { DocumentsStatus, MemberStatus } from '@atrium/contract/members/states.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { dayIn } from '../foundation/days.ts'
import { type Condition, condition, countUpTo, defineList } from '../foundation/list.ts'
import { leavesOut, meetsSearch, searchWords, someWith, type WordSearch } from '../foundation/member-labels.ts'
import { momentsOf } from '../workspaces/today.ts'
import { startSettings } from '../workspaces/workspace.ts'
import { countAccounts } from './queries.ts'

type Found = z.output<typeof deskMemberRow> & { sort_name: string; zone: string }
type Known = WordSearch & { settings: ReturnType<typeof startSettings> }

/** The brokerage's members by name, status and joining day. */
export const deskMembers = defineList({
  list: membersList,
  right: 'members.read',
  table: 'members',
  id: 'members.member_id',
  select,
  prepare: async ({ tx, staff, filter }): Promise<Known> => ({
    settings: startSettings(tx, staff),
    ...(await searchWords(tx, staff, filter.q)),
  }),
  filters: {
    q: (_, { known }) => meetsSearch(known, 'members'),
    status: (status) => condition`members.status = ${status}`,
    documents: (documents) => condition`members.documents_status = ${documents}`,
    accounts: holdsAccounts,
    type: (type) => condition`members.type = ${type}`,
    referrer: (referrer) => condition`members.referred_by = ${referrer}::uuid`,
    from: async (from, { tx, staff }) =>
      condition`members.created_at >= ${(await momentsOf(tx, staff, { from })).since}`,
    to: async (to, { tx, staff }) => condition`members.created_at < ${(await momentsOf(tx, staff, { to })).until}`,
  },
  sort: ({ order }) =>
    order === 'name'
      ? { column: 'members.sort_name', direction: 'asc', text: (row) => row.sort_name }
      : { column: 'members.created_at', direction: order === 'oldest' ? 'asc' : 'desc', at: (row) => row.created_at },
  shape,
  isCounted: false,
  /** Counts up to a limit, since a frequent word would make the exact count slow. */
  async beside({ tx, staff, filter, known, met }) {
    const some = someWith(staff, known)
    const all = await met(filter)
    const total = await countUpTo(tx, 'members', some ? condition`${all} and members.member_id in ${some}` : all)
    return { total, total_is_least: some !== null && total < limits.countedMax && (await leavesOut(tx, some)) }
  },
  columns: [
    ['Customer number', (row) => row.customer_number],
    ['Name', (row) => row.name],
    ['Email', (row) => row.email],
    ['Status', (row) => row.status],
    ['Documents', (row) => row.documents_status],
    // The day by which the filter counts.
    ['Joined', (row) => dayIn(new Date(row.created_at), row.zone)],
    ['Live accounts', (row) => row.live_count],
    ['Demo accounts', (row) => row.demo_count],
  ],
})

function holdsAccounts(kind: 'live' | 'demo' | 'none'): Condition {
  const anyOf = (filter: Condition) => sql`exists (
    select from trading_accounts as account
    where account.workspace_id = members.workspace_id and account.member_id = members.member_id
      and not account.deleted and ${filter})`
  if (kind === 'none') return condition`not ${anyOf(condition`true`)}`
  return condition`${anyOf(kind === 'live' ? condition`account.live_account` : condition`not account.live_account`)}`
}

function select(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('members')
    .where('members.workspace_id', '=', staff.workspaceId)
    .select(['member_id', 'first_name', 'last_name', 'sort_name', 'customer_number', 'email', 'status'])
    .select(['documents_status', 'created_at'])
    .select([countAccounts(true).as('live_count'), countAccounts(false).as('demo_count')])
}

type Selected = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

async function shape(row: Selected, _: Staff, { settings }: Known): Promise<Found> {
  return {
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
    zone: (await settings).withdrawal_cut_off.zone,
  }
}
