import {
  type AtPlatform,
  type DifferenceKind,
  type Found,
  isReused,
  noteDifference,
  readOpen,
  settleDifference,
} from '../accounts/differences.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockAccount } from '../funding/withdrawable.ts'
import { GatewayError, type TradingGateway } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { changeAccount, correctionsOf } from './account-changes.ts'
import { importAccounts } from './account-import.ts'
import {
  type KnownAccount,
  lockKnownAccount,
  type PlatformList,
  readKnownAccounts,
  readMissing,
  readPlatformList,
  readWatchedGroups,
  reasonOfAbsence,
} from './platform-list.ts'
import { keepRegistrations, noteReused } from './registration.ts'

/** Minimum time between the two comparisons that find an account missing before it is archived. */
const goneForMs = 5 * 60_000
/** More missing accounts than this suggest a fault in what we see, so staff decide. */
const archivedAtOnceMax = 20

/**
 * Compares a platform's list of accounts with ours: corrects and audits certain differences, and leaves the rest to
 * staff as account discrepancies. Idempotent and safe to run in several processes.
 */
export async function comparePlatform(system: System, platformId: string): Promise<void> {
  const link = await findLink(system, platformId)
  if ('problem' in link) return noteCompared(system, platformId, link.problem)
  try {
    const unreadGroups = await compare(system, platformId, link.gateway)
    await noteCompared(system, platformId, null, unreadGroups)
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    system.context.log.warn({ platform: platformId, reason: problem.reason }, 'a platform was not compared')
    await noteCompared(system, platformId, problem.reason)
  }
}

/** Returns the groups that matter and could not be read. */
async function compare(system: System, platformId: string, gateway: TradingGateway): Promise<string[]> {
  const listedAt = system.context.clock.now()
  const { watched, offered } = await reading(system, (tx) => readWatchedGroups(tx, system, platformId))
  const list = await readPlatformList(gateway, watched)
  // Our rows are read after the list: an account opened meanwhile is known by its row or by the tag of its opening.
  const ours = await reading(system, (tx) => readKnownAccounts(tx, system, platformId))
  const known = ours.filter(({ deleted }) => !deleted)
  const missing = known.filter(({ archived, platform_login }) => !archived && !list.accounts.has(platform_login))
  const moved = await readMissing(
    gateway,
    missing.map(({ platform_login }) => platform_login),
  )
  for (const [login, at] of moved) list.accounts.set(login, at)
  const seen = new Set<string>()
  await putRight(system, platformId, { known, list, seen, listedAt })
  await keepRegistrations(system, { known, list })
  for (const login of await noteReused(system, platformId, { known, list })) seen.add(keyOf('gone', login))
  const numbers = new Set(ours.map(({ platform_login }) => platform_login))
  const unknownAccounts = [...list.accounts.values()].filter(({ login }) => !numbers.has(login))
  for (const login of await importAccounts(system, platformId, unknownAccounts)) seen.add(keyOf('unknown_owner', login))
  const gone = missing.filter(({ platform_login }) => !moved.has(platform_login))
  await judgeGone(system, platformId, { gone, list, seen, gateway })
  await endVanished(system, platformId, { seen, listedAt, list, watched: new Set(watched) })
  const used = new Set(known.filter(({ archived }) => !archived).map(({ group_name }) => group_name))
  return watched.filter((name) => !list.groups.has(name) && (offered.has(name) || used.has(name)))
}

type Work = { known: KnownAccount[]; list: PlatformList; seen: Set<string>; listedAt: Date }

const keyOf = (kind: DifferenceKind, login: string) => `${kind} ${login}`

/** Writes only the accounts that differ; most do not. Each is judged again under its lock, since staff may change it. */
async function putRight(system: System, platformId: string, { known, list, seen, listedAt }: Work): Promise<void> {
  for (const account of known) {
    const at = list.accounts.get(account.platform_login)
    if (!at) continue
    const isDifferent = correctionsOf(account, at, listedAt) !== null
    const differences = differencesOf(account, at)
    for (const { kind, login } of differences) seen.add(keyOf(kind, login))
    if (!isDifferent && differences.length === 0) continue
    await inTransaction(system, async (tx) => {
      const current = await lockKnownAccount(tx, system, account)
      const set = correctionsOf(current, at, listedAt)
      if (set) await changeAccount(tx, system, current, { action: 'account.corrected', set })
      for (const found of differences) await noteDifference(tx, system, platformId, found)
    })
  }
}

function differencesOf(account: KnownAccount, at: AtPlatform): Found[] {
  const about = { login: account.platform_login, accountId: account.account_id, at }
  const found: Found[] = []
  // Its money was booked in the other currency, which no program may correct.
  if (at.currency !== null && at.currency !== account.currency)
    found.push({ ...about, kind: 'currency', reason: at.currency })
  if (account.archived)
    found.push({ ...about, kind: 'returned', reason: isReused(account, at) ? 'archived_reused' : 'archived_here' })
  return found
}

type Gone = { gone: KnownAccount[]; list: PlatformList; seen: Set<string>; gateway: TradingGateway }

async function judgeGone(system: System, platformId: string, work: Gone): Promise<void> {
  const { gone, list, seen, gateway } = work
  const goneInReadGroups = gone.filter(({ group_name }) => list.groups.has(group_name)).length
  for (const account of gone) {
    const login = account.platform_login
    seen.add(keyOf('gone', login))
    const reason = reasonToDoubt(account, work, goneInReadGroups) ?? (await reasonOfAbsence(gateway, login))
    if (reason === null) continue
    await inTransaction(system, async (tx) => {
      // Lock order: the account before its difference (decision.ts).
      await lockAccount(tx, system, account.account_id)
      const found = { kind: 'gone', login, accountId: account.account_id, at: null } as const
      // Read with the write, since staff may decide at the same time: a kept difference archives nothing.
      const noted = await noteDifference(tx, system, platformId, { ...found, reason })
      const waitedMs = system.context.clock.now().getTime() - noted.first_seen_at.getTime()
      if (reason !== 'not_there' || noted.state !== 'open' || waitedMs < goneForMs) return
      await changeAccount(tx, system, account, { action: 'account.archived', set: { archived: true } })
      await settleDifference(tx, system, noted.difference_id, 'archived')
    })
  }
  if (list.accounts.size === 0 && gone.length > 0) {
    system.context.log.error({ platform: platformId, gone: gone.length }, 'a platform returned none of our accounts')
  }
}

/** Why a missing account may still exist. Those of a group that could not be read do not make it many. */
function reasonToDoubt({ group_name }: KnownAccount, { list }: Gone, goneInReadGroups: number): string | null {
  if (list.accounts.size === 0) return 'nothing_seen'
  if (!list.groups.has(group_name)) return 'group_not_seen'
  return goneInReadGroups > archivedAtOnceMax ? 'many_at_once' : null
}

type Ended = Pick<Work, 'seen' | 'listedAt' | 'list'> & { watched: ReadonlySet<string> }
type Open = Awaited<ReturnType<typeof readOpen>>[number]

/** Settles differences that the platform no longer shows, except those that a later comparison has seen meanwhile. */
async function endVanished(system: System, platformId: string, { seen, listedAt, ...read }: Ended): Promise<void> {
  await inTransaction(system, async (tx) => {
    for (const difference of await readOpen(tx, system, platformId)) {
      if (isUnread(difference, read)) continue
      const { difference_id, kind, platform_login, last_seen_at } = difference
      if (last_seen_at <= listedAt && !seen.has(keyOf(kind as DifferenceKind, platform_login)))
        await settleDifference(tx, system, difference_id, 'vanished')
    }
  })
}

/**
 * Of a group that could not be read nothing has vanished. A group that is no longer offered asks for no decision, but
 * keeps those about accounts without an owner, also where staff asked again, in case it is offered again.
 */
function isUnread(
  { group_name: group, kind, decided_at }: Open,
  { list, watched }: Pick<Ended, 'list' | 'watched'>,
): boolean {
  if (group === null || list.groups.has(group)) return false
  return watched.has(group) || (kind === 'unknown_owner' && decided_at !== null)
}

async function noteCompared(
  system: System,
  platformId: string,
  problem: string | null,
  unreadGroups: string[] = [],
): Promise<void> {
  const compared = { compared_at: system.context.clock.now(), unread_groups: unreadGroups }
  await inTransaction(system, (tx) =>
    tx
      .updateTable('platform_connections')
      .set({ compare_problem: problem, ...(problem === null && compared) })
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', '=', platformId)
      .execute(),
  )
}
