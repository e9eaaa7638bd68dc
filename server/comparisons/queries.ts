import type { CallAnswer } from '@atrium/contract/call.ts'
import type { listAccountDifferences, readDeskAccount } from '@atrium/contract/desk-accounts.ts'
import { toScale } from '@atrium/contract/money.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { findLink } from '../funding/platform-link.ts'
import { type AccountState, GatewayError } from '../trading-platforms/contract.ts'

type DifferenceList = Omit<CallAnswer<typeof listAccountDifferences>, 'status'>
type DeskAccount = CallAnswer<typeof readDeskAccount>['account']
type Shown = DeskAccount['differences'][number]

/** More than anybody decides in a day; the number says how many there are. */
const listedMax = 200

export async function listDifferences(staff: Staff): Promise<DifferenceList> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const rows = await selectDifferences(tx, staff).orderBy('difference.first_seen_at').limit(listedMax).execute()
    const { total } = await tx
      .selectFrom('account_differences')
      .select((count) => count.fn.countAll<string>().as('total'))
      .where('workspace_id', '=', staff.workspaceId)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    return { differences: rows.map(shown), total: Number(total) }
  })
}

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
    .select(['difference.difference_id', 'difference.kind', 'difference.reason', 'difference.platform_login'])
    .select(['difference.group_name', 'difference.leverage', 'difference.holder', 'difference.holder_email'])
    .select(['difference.account_id', 'difference.first_seen_at', 'difference.last_seen_at'])
    .select(['platform.name as platform_name', 'owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .where('difference.workspace_id', '=', staff.workspaceId)
    .where('difference.state', '=', 'open')
}

type Row = Awaited<ReturnType<ReturnType<typeof selectDifferences>['execute']>>[number]

function shown({ difference_id, member_id, customer_number, owner_name, ...row }: Row): Shown {
  const member =
    member_id === null ? null : { _id: member_id, name: owner_name, customer_number: customer_number ?? '' }
  const [first_seen_at, last_seen_at] = [row.first_seen_at.getTime(), row.last_seen_at.getTime()]
  return { ...row, _id: difference_id, kind: row.kind as Shown['kind'], member, first_seen_at, last_seen_at }
}

export async function readAccountForDesk(staff: Staff, accountId: string): Promise<DeskAccount> {
  authorizeStaff(staff, 'members.read')
  const { row, differences } = await reading(staff, async (tx) => ({
    row: await readRow(tx, staff, accountId),
    differences: await selectDifferences(tx, staff).where('difference.account_id', '=', accountId).execute(),
  }))
  if (!row) refuseNotFound()
  const platform = await readAtPlatform(staff, row.platform_id, row.platform_login)
  const figure = (amount: string | null) => (amount === null ? null : toScale(amount, row.currency))
  return {
    _id: row.account_id,
    platform_login: row.platform_login,
    platform_name: row.platform_name,
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
      balance: figure(row.balance),
      equity: figure(row.equity),
    },
    ...platform,
    differences: differences.map(shown),
  }
}

function readRow(tx: Tx, staff: Staff, accountId: string) {
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
    .select(['account.account_id', 'account.member_id', 'account.platform_id', 'account.platform_login'])
    .select(['account.live_account', 'account.archived', 'account.deleted', 'account.created_at', 'account.synced_at'])
    .select(['account.group_name', 'account.leverage', 'account.currency', 'account.status', 'account.balance'])
    .select(['account.equity', 'account.enable_read_only', 'account.enable_change_password'])
    .select(['platform.name as platform_name', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .where('account.workspace_id', '=', staff.workspaceId)
    .where('account.account_id', '=', accountId)
    .executeTakeFirst()
}

type AtPlatform = Pick<DeskAccount, 'platform' | 'platform_problem'>

/** A colleague waits for it as long as a member does; then the page comes without it. */
const patienceMs = 4_000

async function readAtPlatform(staff: Staff, platformId: string, login: string): Promise<AtPlatform> {
  const link = await findLink(systemActor(staff.ground, staff.workspaceId), platformId)
  if ('problem' in link) return { platform: null, platform_problem: 'not_connected' }
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs)
  })
  try {
    const state = await Promise.race([link.gateway.readAccount(login), patience])
    if (!state) return { platform: null, platform_problem: 'not_answering' }
    return { platform: sideOf(state), platform_problem: null }
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    const isGone = problem.reason === 'not_found'
    return { platform: null, platform_problem: isGone ? 'not_there' : 'not_answering' }
  } finally {
    clearTimeout(timer)
  }
}

function sideOf(state: AccountState): DeskAccount['portal'] {
  return {
    group_name: state.group,
    leverage: state.leverage,
    currency: state.currency,
    is_enabled: state.enabled,
    is_read_only: !state.tradingAllowed,
    may_change_password: state.passwordChangeAllowed,
    balance: state.balance,
    equity: state.equity,
  }
}
