import type { readDeskAccount } from '@atrium/contract/account-sync/desk-calls.ts'
import { differencesList } from '@atrium/contract/account-sync/desk-list.ts'
import type { CallAnswer } from '@atrium/contract/call.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import { duePasswords } from '../accounts/due-passwords.ts'
import { selectWithOwners } from '../accounts/queries.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { condition, defineList } from '../foundation/list.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { type AccountState, GatewayError } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { listPlatformNames } from '../trading-platforms/platform-names.ts'
import { readOwnership } from './owner.ts'

type DeskAccount = CallAnswer<typeof readDeskAccount>['account']
type Shown = DeskAccount['differences'][number]

const isOpen = (state: string | undefined) => state === undefined || state === 'open'

/** Open differences oldest first, settled ones newest first. */
export const accountDifferences = defineList({
  list: differencesList,
  right: 'members.read',
  table: 'account_differences as difference',
  id: 'difference.difference_id',
  select: selectDifferences,
  filters: {
    state: (state) => condition`difference.state = ${state}`,
    kind: (kind) => condition`difference.kind = ${kind}`,
    platform: (platform) => condition`difference.platform_id = ${platform}::uuid`,
  },
  sort: ({ state }) => ({
    column: 'difference.first_seen_at',
    direction: isOpen(state) ? 'asc' : 'desc',
    at: (row) => row.first_seen_at,
  }),
  shape: shown,
  beside: async ({ tx, staff }) => ({ platforms: await listPlatformNames(tx, staff) }),
  columns: [
    ['Platform', (row) => row.platform_name],
    ['Account', (row) => row.platform_login],
    ['What differs', (row) => row.kind],
    ['Reason', (row) => row.reason],
    ['Group', (row) => row.group_name],
    ['Leverage', (row) => row.leverage],
    ['Customer number', (row) => row.member?.customer_number ?? null],
    ['Name', (row) => row.member?.name ?? null],
    ['First seen (UTC)', (row) => spreadsheetMoment(row.first_seen_at)],
    ['Last seen (UTC)', (row) => spreadsheetMoment(row.last_seen_at)],
    ['State', (row) => row.state],
    ['Decision', (row) => row.decided?.how ?? null],
    ['Decided by', (row) => row.decided?.by ?? null],
  ],
})

function selectDifferences(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('account_differences as difference')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'difference.workspace_id')
        .onRef('platform.platform_id', '=', 'difference.platform_id'),
    )
    .leftJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'difference.workspace_id')
        .onRef('account.account_id', '=', 'difference.account_id'),
    )
    .leftJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'account.workspace_id').onRef('owner.member_id', '=', 'account.member_id'),
    )
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'difference.workspace_id')
        .onRef('colleague.staff_id', '=', 'difference.decided_by'),
    )
    .select(['difference.difference_id', 'difference.kind', 'difference.reason', 'difference.platform_login'])
    .select(['difference.group_name', 'difference.leverage', 'difference.holder', 'difference.holder_email'])
    .select(['difference.account_id', 'difference.first_seen_at', 'difference.last_seen_at'])
    .select(['difference.state', 'difference.decision', 'difference.decided_at', 'colleague.name as decided_by'])
    .select(['platform.name as platform_name', 'owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .select(proposedOf(staff).as('owner_proposed'))
    .where('difference.workspace_id', '=', staff.workspaceId)
}

/** The newest word about the owner of an account that has none, while a second person's is missing. */
const proposedOf = ({ staffId }: Staff) => sql<Shown['owner_proposed']>`(
  select jsonb_build_object('by', colleague.name, 'customer_number', named.customer_number::text,
    'is_you', colleague.staff_id = ${staffId}::uuid)
  from audit_log as said
  join staff_users as colleague on colleague.workspace_id = said.workspace_id and colleague.staff_id = said.actor_id
  join members as named on named.workspace_id = said.workspace_id and named.member_id = said.member_id
  where difference.state = 'open' and difference.kind = 'unknown_owner'
    and said.workspace_id = difference.workspace_id and said.subject_kind = 'account_difference'
    and said.subject_id = difference.difference_id and said.action = 'account.owner-proposed'
    and said.at >= difference.first_seen_at
  order by said.audit_id desc limit 1)`

type Row = Awaited<ReturnType<ReturnType<typeof selectDifferences>['execute']>>[number]

function shown({ difference_id, member_id, customer_number, owner_name, ...row }: Row): Shown {
  const { decision, decided_at, decided_by, ...rest } = row
  const member =
    member_id === null ? null : { _id: member_id, name: owner_name, customer_number: customer_number ?? '' }
  const how = decision as NonNullable<Shown['decided']>['how'] | null
  return {
    ...rest,
    _id: difference_id,
    kind: row.kind as Shown['kind'],
    state: row.state as Shown['state'],
    member,
    decided: how && { how, at: (decided_at ?? row.last_seen_at).getTime(), by: decided_by },
    first_seen_at: row.first_seen_at.getTime(),
    last_seen_at: row.last_seen_at.getTime(),
  }
}

export async function readAccountForDesk(staff: Staff, accountId: string): Promise<DeskAccount> {
  authorizeStaff(staff, 'members.read')
  const { row, differences, ownership } = await reading(staff, async (tx) => ({
    ownership: await readOwnership(tx, staff, accountId),
    row: await readRow(tx, staff, accountId),
    differences: await selectDifferences(tx, staff)
      .where('difference.account_id', '=', accountId)
      .where('difference.state', '=', 'open')
      .execute(),
  }))
  if (!row) refuseNotFound()
  const platform = await readAtPlatform(staff, row.platform_id, row.platform_login)
  const scaled = (amount: string | null) => (amount === null ? null : toScale(amount, row.currency))
  return {
    _id: row.account_id,
    platform_login: row.platform_login,
    platform_name: row.platform_name,
    platform_type: row.platform_type,
    live_account: row.live_account,
    archived: row.archived,
    deleted: row.deleted,
    created_at: row.created_at.getTime(),
    as_of: row.synced_at?.getTime() ?? null,
    member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
    portal: {
      group_name: row.group_name,
      leverage: row.leverage,
      currency: row.currency,
      is_enabled: row.status !== 'disabled',
      is_read_only: row.enable_read_only,
      may_change_password: row.enable_change_password,
      balance: scaled(row.balance),
      equity: scaled(row.equity),
    },
    ...platform,
    differences: differences.map(shown),
    details_due_since: row.person_due_since?.getTime() ?? null,
    passwords_due: duePasswords(row),
    ...ownership,
  }
}

function readRow(tx: Tx, staff: Staff, accountId: string) {
  return selectWithOwners(tx)
    .select(['account.account_id', 'account.member_id', 'account.platform_id', 'account.platform_login'])
    .select(['account.live_account', 'account.archived', 'account.deleted', 'account.created_at', 'account.synced_at'])
    .select(['account.group_name', 'account.leverage', 'account.currency', 'account.status', 'account.balance'])
    .select([
      'account.equity',
      'account.enable_read_only',
      'account.enable_change_password',
      'account.person_due_since',
    ])
    .select(['account.main_password_due', 'account.investor_password_due'])
    .select(['platform.name as platform_name', 'platform.type as platform_type', 'owner.customer_number'])
    .where('account.workspace_id', '=', staff.workspaceId)
    .where('account.account_id', '=', accountId)
    .executeTakeFirst()
}

type AtPlatform = Pick<DeskAccount, 'platform' | 'platform_problem'>

/** Waits as long for the platform as a member's page does, then answers without it. */
const waitMsMax = 4_000

async function readAtPlatform(staff: Staff, platformId: string, login: string): Promise<AtPlatform> {
  const link = await findLink(systemActor(staff.context, staff.workspaceId), platformId)
  if ('problem' in link) return { platform: null, platform_problem: 'not_connected' }
  try {
    const state = await waitAtMost(waitMsMax, link.gateway.readAccount(login))
    if (!state) return { platform: null, platform_problem: 'not_answering' }
    return { platform: sideOf(state), platform_problem: null }
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    const isGone = problem.reason === 'not_found'
    return { platform: null, platform_problem: isGone ? 'not_there' : 'not_answering' }
  }
}

function sideOf(state: AccountState): DeskAccount['portal'] {
  return {
    group_name: state.group,
    leverage: state.leverage,
    currency: state.currency,
    is_enabled: state.enabled,
    is_read_only: !state.enabled || !state.tradingAllowed,
    may_change_password: state.passwordChangeAllowed,
    balance: state.balance,
    equity: state.equity,
  }
}
