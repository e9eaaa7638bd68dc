import { readPlatforms } from '../accounts/queries.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { isClosedAccount } from './own-account.ts'

type GroupKind = 'live' | 'demo'
type AccountKinds = { openedAs: GroupKind; group: GroupKind | null }

/**
 * The kind that an account was opened as, and the kind that its present group is offered as, null if it is not offered.
 * They differ after a platform moved the account to another group.
 */
async function readKinds(tx: Tx, actor: Actor, accountId: string): Promise<AccountKinds> {
  const account = await tx
    .selectFrom('trading_accounts')
    .select(['platform_id', 'group_name', 'live_account'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const group = await readGroupKind(tx, actor, account.platform_id, account.group_name)
  return { openedAs: account.live_account ? 'live' : 'demo', group }
}

/** The kind that a group of a platform is offered as; null if it is not offered. */
export async function readGroupKind(
  tx: Tx,
  actor: Actor,
  platformId: string,
  groupName: string,
): Promise<GroupKind | null> {
  const platform = (await readPlatforms(tx, actor)).find(({ id }) => id === platformId)
  return platform?.groups.find(({ name }) => name === groupName)?.kind ?? null
}

/** Whether the owner of an account gets real money with it: only a group that is offered as demo is known to hold none. */
export async function mayGiveRealMoney(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  const { openedAs, group } = await readKinds(tx, actor, accountId)
  return openedAs === 'live' || group !== 'demo'
}

/** Whether money on the account may be real, so that no demo funds are added to it. */
export async function holdsRealMoney(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  const { openedAs, group } = await readKinds(tx, actor, accountId)
  return openedAs === 'live' || group === 'live'
}

/** Whether money on a live account may be play money, so that none of it is paid out, and none is deposited. */
export async function holdsDemoFunds(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  const { openedAs, group } = await readKinds(tx, actor, accountId)
  return openedAs === 'live' && group === 'demo'
}

/** Whether the platform moved the account to a group of the other kind: nobody knows whether its money is real. */
export async function isInOtherKind(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  const { openedAs, group } = await readKinds(tx, actor, accountId)
  return group !== null && group !== openedAs
}

type CreditObstacle = 'account_closed' | 'account_in_demo_group'

/**
 * Why no money may be credited to an account: it is archived or deleted, or the platform moved the live account to a
 * group of demo accounts, from which nothing is paid out again.
 */
export async function creditObstacle(tx: Tx, actor: Actor, accountId: string): Promise<CreditObstacle | null> {
  if (await isClosedAccount(tx, actor, accountId)) return 'account_closed'
  return (await holdsDemoFunds(tx, actor, accountId)) ? 'account_in_demo_group' : null
}
