import type { deskAccountRow } from '@atrium/contract/account-sync/desk-calls.ts'
import { accountsList } from '@atrium/contract/account-sync/desk-list.ts'
import { accessOf } from '@atrium/contract/accounts/access.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { selectWithOwners } from '../accounts/queries.ts'
import type { Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import type { Tx } from '../foundation/database/database.ts'
import { type Condition, condition, defineList } from '../foundation/list.ts'
import { meetsSearch, searchWords } from '../foundation/member-labels.ts'
import { listPlatformNames } from '../trading-platforms/platform-names.ts'

type Row = z.output<typeof deskAccountRow>

const states: Record<Row['state'], Condition> = {
  open: condition`not account.deleted and not account.archived`,
  archived: condition`not account.deleted and account.archived`,
  closed: condition`account.deleted`,
}

/** Matches `accessOf`. */
const accesses: Record<Row['access'], Condition> = {
  full: condition`account.status <> 'disabled' and not account.enable_read_only`,
  read_only: condition`account.status <> 'disabled' and account.enable_read_only`,
  disabled: condition`account.status = 'disabled'`,
}

/** A number as text sorts 10 before 9. The same expression as in the index `trading_accounts_by_login`. */
const loginOrder = sql`lpad(account.platform_login, 20, '0') collate "C"`
const loginCharsMax = 20

const cell = (amount: string | null) => (amount === null ? null : { amount })

/** All accounts of the brokerage, of every member and platform. */
export const deskAccounts = defineList({
  list: accountsList,
  right: 'members.read',
  table: 'trading_accounts as account',
  id: 'account.account_id',
  select,
  filters: {
    q: (q, { tx, staff }) => finds(tx, staff, q),
    platform: (platform) => condition`account.platform_id = ${platform}::uuid`,
    kind: (kind) => condition`account.live_account = ${kind === 'live'}`,
    access: (access) => accesses[access],
    state: (state) => states[state],
  },
  sort: ({ order }) =>
    order === 'login'
      ? { column: loginOrder, direction: 'asc', text: (row) => row.platform_login.padStart(loginCharsMax, '0') }
      : {
          column: 'account.created_at',
          direction: order === 'oldest' ? 'asc' : 'desc',
          at: (row) => row.created_at,
        },
  shape,
  beside: async ({ tx, staff }) => ({ platforms: await listPlatformNames(tx, staff) }),
  columns: [
    ['Account', (row) => row.platform_login],
    ['Platform', (row) => row.platform_name],
    ['Group', (row) => row.group_name],
    ['Kind', (row) => (row.live_account ? 'live' : 'demo')],
    ['Currency', (row) => row.currency],
    ['Leverage', (row) => row.leverage],
    ['Balance', (row) => cell(row.balance)],
    ['Equity', (row) => cell(row.equity)],
    ['Access', (row) => row.access],
    ['State', (row) => row.state],
    ['Opened (UTC)', (row) => spreadsheetMoment(row.created_at)],
    ['Customer number', (row) => row.member.customer_number],
    ['Name', (row) => row.member.name],
  ],
})

/** Finds accounts by the beginning of their number, without the other accounts of the same owner. */
async function finds(tx: Tx, staff: Staff, q: string) {
  const digits = q.trim().replace(/^#/, '')
  const words = await searchWords(tx, staff, q)
  if (!/^\d+$/.test(digits)) return meetsSearch(words, 'account')
  return condition`(account.platform_login like ${`${digits}%`}
    or exists (select from members as named where named.workspace_id = account.workspace_id
      and named.member_id = account.member_id and named.customer_number = ${digits}))`
}

function select(tx: Tx, staff: Staff) {
  return selectWithOwners(tx)
    .where('account.workspace_id', '=', staff.workspaceId)
    .select(['account.account_id', 'account.platform_login', 'account.group_name', 'account.live_account'])
    .select(['account.currency', 'account.leverage', 'account.balance', 'account.equity', 'account.status'])
    .select(['account.enable_read_only', 'account.archived', 'account.deleted', 'account.created_at'])
    .select(['platform.name as platform_name', 'owner.member_id', 'owner.customer_number'])
}

type Selected = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function shape(row: Selected): Row {
  const scaled = (amount: string | null) => (amount === null ? null : toScale(amount, row.currency))
  return {
    _id: row.account_id,
    platform_login: row.platform_login,
    platform_name: row.platform_name,
    group_name: row.group_name,
    live_account: row.live_account,
    currency: row.currency,
    leverage: row.leverage,
    balance: scaled(row.balance),
    equity: scaled(row.equity),
    access: accessOf(row),
    state: row.deleted ? 'closed' : row.archived ? 'archived' : 'open',
    created_at: row.created_at.getTime(),
    member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
  }
}
