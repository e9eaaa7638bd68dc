import type { AtPlatform } from '../accounts/differences.ts'
import { readPlatforms } from '../accounts/queries.ts'
import type { Actor, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { GroupInfo, RegisteredAccount, TradingGateway } from '../trading-platforms/contract.ts'
import { isForbidden, isGone } from '../trading-platforms/refusals.ts'

export type PlatformList = {
  accounts: Map<string, AtPlatform>
  /** The groups whose accounts were read; an account in another group may exist unseen. */
  groups: ReadonlySet<string>
}

type WatchedGroups = { watched: string[]; offered: ReadonlySet<string> }

export type KnownAccount = Awaited<ReturnType<ReturnType<typeof selectKnown>['execute']>>[number]

/** Includes deleted accounts, so that one staff removed is not imported again. */
export function readKnownAccounts(tx: Tx, actor: Actor, platformId: string): Promise<KnownAccount[]> {
  return selectKnown(tx, actor).where('platform_id', '=', platformId).execute()
}

function selectKnown(tx: Tx, actor: Actor) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'platform_login', 'group_name', 'leverage', 'currency', 'status'])
    .select(['enable_change_password', 'enable_read_only', 'access_leased_until', 'archived', 'deleted'])
    .select(['platform_registered_at', 'created_at'])
    .where('workspace_id', '=', actor.workspaceId)
}

/** One account, locked until the transaction ends. */
export async function lockKnownAccount(tx: Tx, actor: Actor, { account_id }: KnownAccount): Promise<KnownAccount> {
  return selectKnown(tx, actor).where('account_id', '=', account_id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Groups that are offered or hold our members; a brokerage's platform may hold many others. */
export async function readWatchedGroups(tx: Tx, system: System, platformId: string): Promise<WatchedGroups> {
  const groups = (await readPlatforms(tx, system)).find(({ id }) => id === platformId)?.groups ?? []
  const offered = new Set(groups.map(({ name }) => name))
  const known = await readKnownAccounts(tx, system, platformId)
  return { watched: [...new Set([...offered, ...known.map(({ group_name }) => group_name)])], offered }
}

/** Opens its own session, because an idle connection may return empty lists (see the gateway's contract). */
export async function readPlatformList(gateway: TradingGateway, watched: readonly string[]): Promise<PlatformList> {
  const seen = await gateway.listGroups()
  const currencies = new Map(seen.map(({ name, currency }: GroupInfo) => [name, currency]))
  const accounts = new Map<string, AtPlatform>()
  const groups = new Set(watched.filter((name) => currencies.has(name)))
  for await (const page of gateway.listAccounts([...groups], (refused) => groups.delete(refused))) {
    for (const account of page) {
      accounts.set(account.login, { ...account, currency: currencies.get(account.group) ?? null })
    }
  }
  return { accounts, groups }
}

const loginsPerRead = 100

/** Reads missing accounts by login: they may have moved to a group that we do not watch. */
export async function readMissing(
  gateway: TradingGateway,
  logins: readonly string[],
): Promise<Map<string, AtPlatform>> {
  const found = new Map<string, AtPlatform>()
  for (let first = 0; first < logins.length; first += loginsPerRead) {
    const states = await gateway.readAccounts(logins.slice(first, first + loginsPerRead))
    for (const [login, state] of states) found.set(login, asListed(state))
  }
  return found
}

export function asListed({ login, group, leverage, currency, ...state }: RegisteredAccount): AtPlatform {
  const { enabled, tradingAllowed, passwordChangeAllowed, registeredAt } = state
  const rights = { enabled, tradingAllowed, passwordChangeAllowed }
  return { login, group, leverage, currency, ...rights, registeredAt, email: null, name: null, comment: '' }
}

/**
 * Why one account is not in the list; null if it is there after all. Only the platform's own "no such account" counts,
 * not an error or an empty list.
 */
export async function reasonOfAbsence(
  gateway: TradingGateway,
  login: string,
): Promise<'not_there' | 'group_not_seen' | null> {
  try {
    await gateway.readAccount(login)
    return null
  } catch (problem) {
    if (isGone(problem)) return 'not_there'
    if (isForbidden(problem)) return 'group_not_seen'
    throw problem
  }
}
