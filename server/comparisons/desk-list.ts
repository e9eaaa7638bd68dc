import { accessOf } from '@atrium/contract/account-access.ts'
import type { deskAccountRow, exportDeskAccounts, listDeskAccounts } from '@atrium/contract/desk-accounts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { toScale } from '@atrium/contract/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { meetsSearch, searchWords } from '../foundation/member-words.ts'
import { cutPage, type PageMark, readMark, readTimeMark } from '../foundation/page-mark.ts'
import { listPlatformNames } from '../trading-platforms/platform-names.ts'

type Filter = z.output<(typeof exportDeskAccounts)['input']>
type Listing = z.output<(typeof listDeskAccounts)['input']>
type Row = z.output<typeof deskAccountRow>
type Asked = Filter & { limit: number; after?: string | undefined; before?: string | undefined }

/** A page of all accounts of the brokerage, whoever owns them and on whichever platform they are. */
export async function listAllAccounts(staff: Staff, asked: Listing) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    const total = await countAccounts(tx, staff, asked)
    return { accounts: rows, next, previous, total, platforms: await listPlatformNames(tx, staff) }
  })
}

/** The same accounts as a table. Who took it away and by which filters is written down first. */
export async function exportAllAccounts(staff: Staff, filter: Filter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'accounts.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's name or number; that it was searched is enough.
      after: { ...filter, q: filter.q === undefined ? undefined : '…' },
    }),
  )
  return writeTable(staff, filter)
}

const exportedAtOnce = 500
const heads = [
  ...['Account', 'Platform', 'Group', 'Kind', 'Currency', 'Leverage', 'Balance', 'Equity', 'Access', 'State', 'Opened'],
  ...['Customer number', 'Name'],
]

async function* writeTable(staff: Staff, filter: Filter): AsyncIterable<string> {
  yield csvMark + csvLine(heads)
  let after: string | undefined
  do {
    // A transaction of its own for each part: a slow reader holds no connection while it reads.
    const page = await reading(staff, (tx) => readPage(tx, staff, { ...filter, limit: exportedAtOnce, after }))
    yield page.rows.map(tableLine).join('')
    after = page.next ?? undefined
  } while (after)
}

function tableLine({ member, ...row }: Row): string {
  const figure = (amount: string | null) => (amount === null ? null : { amount })
  return csvLine([
    ...[row.platform_login, row.platform_name, row.group_name, row.live_account ? 'live' : 'demo', row.currency],
    ...[row.leverage, figure(row.balance), figure(row.equity), row.access, row.state],
    ...[new Date(row.created_at).toISOString(), member.customer_number, member.name],
  ])
}

const states: Record<Row['state'], RawBuilder<unknown>> = {
  open: sql`not account.deleted and not account.archived`,
  archived: sql`not account.deleted and account.archived`,
  closed: sql`account.deleted`,
}

/** As `accessOf` reads it. */
const accesses: Record<Row['access'], RawBuilder<unknown>> = {
  full: sql`account.status <> 'disabled' and not account.enable_read_only`,
  read_only: sql`account.status <> 'disabled' and account.enable_read_only`,
  disabled: sql`account.status = 'disabled'`,
}

async function meets(tx: Tx, staff: Staff, { q, platform, kind, access, state }: Filter) {
  const conditions = [sql`account.workspace_id = ${staff.workspaceId}::uuid`]
  if (platform) conditions.push(sql`account.platform_id = ${platform}::uuid`)
  if (kind) conditions.push(sql`account.live_account = ${kind === 'live'}`)
  if (access) conditions.push(accesses[access])
  if (state) conditions.push(states[state])
  if (q) conditions.push(await finds(tx, staff, q))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** A number that begins an account's finds that account alone, not the others of its owner. */
async function finds(tx: Tx, staff: Staff, q: string) {
  const digits = q.trim().replace(/^#/, '')
  const words = await searchWords(tx, staff, q)
  if (!/^\d+$/.test(digits)) return meetsSearch(words, 'account')
  return sql`(account.platform_login like ${`${digits}%`}
    or exists (select from members as named where named.workspace_id = account.workspace_id
      and named.member_id = account.member_id and named.customer_number = ${digits}))`
}

function select(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('trading_accounts as account')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'account.workspace_id').onRef('owner.member_id', '=', 'account.member_id'),
    )
    .where('account.workspace_id', '=', staff.workspaceId)
    .select(['account.account_id', 'account.platform_login', 'account.group_name', 'account.live_account'])
    .select(['account.currency', 'account.leverage', 'account.balance', 'account.equity', 'account.status'])
    .select(['account.enable_read_only', 'account.archived', 'account.deleted', 'account.created_at'])
    .select(['platform.name as platform_name', 'owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
}

type Selected = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function shape(row: Selected): Row {
  const figure = (amount: string | null) => (amount === null ? null : toScale(amount, row.currency))
  return {
    _id: row.account_id,
    platform_login: row.platform_login,
    platform_name: row.platform_name,
    group_name: row.group_name,
    live_account: row.live_account,
    currency: row.currency,
    leverage: row.leverage,
    balance: figure(row.balance),
    equity: figure(row.equity),
    access: accessOf(row),
    state: row.deleted ? 'closed' : row.archived ? 'archived' : 'open',
    created_at: row.created_at.getTime(),
    member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
  }
}

async function readPage(tx: Tx, staff: Staff, asked: Asked) {
  const isByLogin = asked.order === 'login'
  const isRising = (asked.order !== 'newest') === (asked.before === undefined)
  const direction = isRising ? 'asc' : 'desc'
  const mark = asked.before ?? asked.after
  const rows = await select(tx, staff)
    .where(await meets(tx, staff, asked))
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', { isByLogin, isRising })))
    .orderBy(isByLogin ? 'account.platform_login' : 'account.created_at', direction)
    .orderBy('account.account_id', direction)
    .limit(asked.limit + 1)
    .execute()
  return cutPage(rows.map(shape), asked, (row): PageMark => {
    return { value: isByLogin ? row.platform_login : String(row.created_at), id: row._id }
  })
}

function beyond(mark: string, { isByLogin, isRising }: { isByLogin: boolean; isRising: boolean }) {
  const than = sql.raw(isRising ? '>' : '<')
  const column = sql.ref(isByLogin ? 'account.platform_login' : 'account.created_at')
  const { id } = readMark(mark)
  const value = isByLogin ? readMark(mark).value : readTimeMark(mark).at
  return sql<boolean>`(${column} ${than}= ${value} and (${column} ${than} ${value} or account.account_id ${than} ${id}::uuid))`
}

async function countAccounts(tx: Tx, staff: Staff, filter: Filter): Promise<number> {
  const met = await meets(tx, staff, filter)
  const { total } = await tx
    .selectFrom(
      tx
        .selectFrom('trading_accounts as account')
        .select('account.account_id')
        .where(met)
        .limit(limits.countedMax)
        .as('counted'),
    )
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
