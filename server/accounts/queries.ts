import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, Member } from '../foundation/actor.ts'
import type { TradingAccounts } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement, variantOf } from '../foundation/database/prepared-statement.ts'

const offeredGroups = z.array(
  z.object({ name: z.string(), alias: z.string(), kind: z.enum(['live', 'demo']).optional() }),
)

/** Platforms separate live and demo by the prefix of the group name, unless the brokerage configures otherwise. */
function kindOfGroup(name: string): 'live' | 'demo' {
  return /^demo/i.test(name) ? 'demo' : 'live'
}

const isOffered = ({ name }: { name: string }): boolean => name.toLowerCase() !== limits.groupNeverOffered

/** The configured groups of a platform, each with its kind of account. */
export function groupsOf(groups: unknown) {
  return offeredGroups
    .parse(groups)
    .filter(isOffered)
    .map((group) => ({ ...group, kind: group.kind ?? kindOfGroup(group.name) }))
}

/** The platforms of a workspace, oldest first, with the groups offered to members. */
export async function readPlatforms(tx: Tx, actor: Actor) {
  const rows = await tx
    .selectFrom('trading_platforms')
    .select(['platform_id', 'name', 'type', 'groups', 'enabled'])
    .where('workspace_id', '=', actor.workspaceId)
    .orderBy('created_at')
    .orderBy('platform_id')
    .execute()
  return rows.map(({ platform_id, name, type, groups, enabled }) => ({
    id: platform_id,
    name,
    type,
    groups: groupsOf(groups),
    isEnabled: enabled,
  }))
}

/** Platforms that are not disabled, as offered to members. */
export async function readOfferedPlatforms(tx: Tx, actor: Actor) {
  return (await readPlatforms(tx, actor)).filter(({ isEnabled }) => isEnabled)
}

/** Bounds the answer; no member has this many accounts. */
const accountsMax = 500

/** Accounts with their platform and the name of their owner. */
export const selectWithOwners = (tx: Tx) =>
  tx
    .selectFrom('trading_accounts as account')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'account.workspace_id').onRef('owner.member_id', '=', 'account.member_id'),
    )
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))

type Own = { workspaceId: string; memberId: string }
export type AccountShape = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number]

function selectAccounts(tx: Tx, { workspaceId, memberId }: Own) {
  return selectWithOwners(tx)
    .select([
      'account.account_id',
      'account.member_id',
      'account.platform_id',
      'account.platform_login',
      'account.type',
    ])
    .select(['account.live_account', 'account.group_name', 'account.leverage', 'account.currency', 'account.status'])
    .select(['account.country_code', 'account.city', 'account.balance', 'account.equity', 'account.floating'])
    .select(['account.credit', 'account.margin', 'account.margin_free', 'account.margin_level'])
    .select(['account.synced_at', 'account.enable_change_password', 'account.enable_read_only', 'account.archived'])
    .select(['account.main_password_due', 'account.investor_password_due'])
    .select([
      'account.deleted',
      'account.created_at',
      'platform.type as platform_type',
      'platform.name as platform_name',
      'platform.client_server',
    ])
    .where('account.workspace_id', '=', workspaceId)
    .where('account.member_id', '=', memberId)
}

const shownAccounts = prepareStatement('accounts', (tx: Tx, own: Own) =>
  selectAccounts(tx, own)
    .where('account.deleted', '=', false)
    .orderBy('account.created_at', 'desc')
    .orderBy('account.account_id', 'desc')
    .limit(sql.lit(accountsMax)),
)

/** The member's accounts, newest first, without deleted ones, with the columns of these fields if given. */
export async function listAccounts(
  tx: Tx,
  { workspaceId, memberId }: Member,
  fields?: readonly string[],
): Promise<AccountShape[]> {
  const own = { workspaceId, memberId }
  if (!fields || !isColumnsKnown(fields)) return (await shownAccounts(tx, own)).rows
  return (await shownColumns(tx, own, variantOf(fields))).rows as AccountShape[]
}

type Column = keyof TradingAccounts
/** Data from other tables, by the field that shows it. */
type Joined = 'platform' | 'owner'

/** The columns each field needs (graph.ts), so that a list whose rows name an account reads no others. */
export const columnsOfAccountFields: Readonly<Record<string, readonly (Column | Joined)[]>> = {
  __typename: [],
  _id: ['account_id'],
  id: ['account_id'],
  platform_login: ['platform_login'],
  platform_type: ['platform'],
  leverage: ['leverage'],
  type: ['type'],
  group: ['group_name'],
  balance: ['balance', 'currency'],
  equity: ['equity', 'currency'],
  credit: ['credit', 'currency'],
  margin: ['margin', 'currency'],
  margin_free: ['margin_free', 'currency'],
  margin_level: ['margin_level'],
  balance_as_of: ['synced_at'],
  balance_is_live: ['synced_at'],
  live_account: ['live_account'],
  currency: ['currency'],
  status: ['status'],
  country: ['country_code'],
  country_alpha2: ['country_code'],
  city: ['city'],
  created_at: ['created_at'],
  enable_change_password: ['enable_change_password'],
  enable_read_only: ['enable_read_only'],
  main_password_due: ['main_password_due'],
  investor_password_due: ['investor_password_due'],
  archived: ['archived'],
  deleted: ['deleted'],
  customer: ['member_id', 'owner'],
  trading_platform: ['platform_id', 'platform'],
  trade_info: ['floating', 'currency'],
}

/** Whether a row with only the columns of these fields answers them. */
export const isColumnsKnown = (fields: readonly string[]): boolean =>
  fields.every((field) => field in columnsOfAccountFields)

/** `fields`: separated by spaces. */
function selectColumns(tx: Tx, { workspaceId, memberId }: Own, fields: string) {
  const needed = new Set(fields.split(' ').flatMap((field) => columnsOfAccountFields[field] ?? []))
  const columns = [...needed].filter((name): name is Column => name !== 'platform' && name !== 'owner')
  return tx
    .selectFrom('trading_accounts as account')
    .select([...new Set<Column>(['account_id', ...columns])].map((name) => `account.${name}` as const))
    .$if(needed.has('platform'), (found) =>
      found
        .innerJoin('trading_platforms as platform', (join) =>
          join
            .onRef('platform.workspace_id', '=', 'account.workspace_id')
            .onRef('platform.platform_id', '=', 'account.platform_id'),
        )
        .select(['platform.type as platform_type', 'platform.name as platform_name', 'platform.client_server']),
    )
    .$if(needed.has('owner'), (found) =>
      found
        .innerJoin('members as owner', (join) =>
          join
            .onRef('owner.workspace_id', '=', 'account.workspace_id')
            .onRef('owner.member_id', '=', 'account.member_id'),
        )
        .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name')),
    )
    .where('account.workspace_id', '=', workspaceId)
    .where('account.member_id', '=', memberId)
    .orderBy('account.created_at', 'desc')
    .orderBy('account.account_id', 'desc')
}

const shownColumns = prepareStatement('accounts_columns', (tx: Tx, own: Own, fields: string) =>
  selectColumns(tx, own, fields).where('account.deleted', '=', false).limit(sql.lit(accountsMax)),
)

/** Enough for most members; with more accounts, the others cost one more round trip. */
const newestMax = 20

const newestAccounts = prepareStatement('accounts_newest', (tx: Tx, own: Own, fields: string) =>
  selectColumns(tx, own, fields).limit(sql.lit(newestMax)),
)

/**
 * The member's newest accounts with the columns of these fields, including deleted ones, for lists whose rows name an
 * account.
 */
export async function listNewestAccounts(
  tx: Tx,
  { workspaceId, memberId }: Member,
  fields: readonly string[],
): Promise<AccountShape[]> {
  return (await newestAccounts(tx, { workspaceId, memberId }, variantOf(fields))).rows as AccountShape[]
}

const accountsById = prepareStatement('accounts_by_id', (tx: Tx, { ids, ...own }: Own & { ids: readonly string[] }) =>
  selectAccounts(tx, own).where('account.account_id', '=', sql<string>`any(${ids}::uuid[])`),
)

/** Own accounts by id, including deleted ones, since a transaction keeps its account. */
export async function readAccounts(
  tx: Tx,
  { workspaceId, memberId }: Member,
  ids: readonly string[],
): Promise<AccountShape[]> {
  return (await accountsById(tx, { workspaceId, memberId, ids })).rows
}
