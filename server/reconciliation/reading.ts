import { sql, type UpdateObject } from 'kysely'
import { isReused } from '../accounts/differences.ts'
import type { System } from '../foundation/actor.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import type { Span } from '../foundation/days.ts'
import { describeProblem } from '../observability/log.ts'
import { type Deal, GatewayError, type RegisteredAccount, type TradingGateway } from '../trading-platforms/contract.ts'
import { INTENT_TAG_CHARS, isIntentTag } from '../trading-platforms/intent-tag.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { isForbidden, isGone } from '../trading-platforms/refusals.ts'
import { hasBooked } from './sides.ts'

/** Accounts per task; between tasks other work can use the platform. */
const accountsAtOnce = 20
/** The platform may book just after midnight what we booked just before. */
const marginSeconds = 600
/** A recent operation may not be stored here yet. */
const settleMs = 60_000
/** Commands for deposits and withdrawals; interest, swaps and trading costs are excluded. */
const moneyWords = ['OP_BALANCE', 'OP_CORRECTION']

export type Day = Span & { day: string; askedAt: Date }

/** The time up to which a reading that began at this moment covers a day: of what came later it may have missed a part. */
export const reachOf = (begun: Date, { to }: Span): Date => new Date(Math.min(to.getTime(), begun.getTime() - settleMs))

/** A platform whose reading begins now, or goes on since the day was asked for. */
export type Begun = { platformId: string; begun: Date }

/** Creates a row for the reading progress of each enabled platform. */
export async function beginReadings(tx: Tx, system: System, { day, askedAt }: Day): Promise<Begun[]> {
  const now = system.context.clock.now()
  const { rows } = await sql<{ platform_id: string; last_account: string | null }>`
    insert into reconciliation_readings (workspace_id, day, platform_id, accounts_total, touched_at)
    select p.workspace_id, ${day}, p.platform_id, (select count(*) from trading_accounts a
      where a.workspace_id = p.workspace_id and a.platform_id = p.platform_id and a.live_account), ${now}
    from trading_platforms p where p.workspace_id = ${system.workspaceId}::uuid and p.enabled
    on conflict (workspace_id, day, platform_id) do update
      set accounts_total = excluded.accounts_total, touched_at = excluded.touched_at
    returning platform_id, last_account`.execute(tx)
  return rows.map(({ platform_id: platformId, last_account: last }) => ({ platformId, begun: last ? askedAt : now }))
}

/** Reads a platform to the end in several tasks, so that money operations can run in between. */
export async function readPlatform(system: System, day: Day, place: Begun): Promise<void> {
  const { platformId } = place
  for (let goesOn = true; goesOn; ) {
    goesOn = false
    await system.context.platforms.runQueued(system, platformId, `reconciliation/${day.day}`, async () => {
      try {
        goesOn = await readSome(system, day, place)
      } catch (problem) {
        system.context.log.error({ err: describeProblem(problem), platform: platformId }, 'operations not read')
        await noteProblem(system, day, platformId, 'failed')
      }
    })
  }
}

type Account = { account_id: string; platform_login: string; platform_registered_at: Date | null; currency: string }

async function readSome(system: System, day: Day, { platformId, begun }: Begun): Promise<boolean> {
  const accounts = await reading(system, (tx) => nextAccounts(tx, system, day, platformId))
  if (accounts === 'complete') return false
  const link = await findLink(system, platformId)
  if ('problem' in link) return noteProblem(system, day, platformId, link.problem)
  try {
    const there = await link.gateway.readAccounts(accounts.map(({ platform_login }) => platform_login))
    for (const account of accounts) {
      const at = there.get(account.platform_login) ?? (await findAlone(link.gateway, account))
      const deals = !at || isReused(account, at) ? null : await readDeals(link.gateway, account, day)
      const currency = at?.currency ?? account.currency
      await inTransaction(system, (tx) =>
        keep(tx, system, { day, platformId, account: { ...account, currency }, deals }),
      )
    }
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    return noteProblem(system, day, platformId, problem.reason)
  }
  if (accounts.length === accountsAtOnce) return true
  await inTransaction(system, (tx) =>
    changeReading(tx, system, day, platformId, {
      is_complete: true,
      problem: null,
      read_to: reachOf(begun, day),
      read_at: system.context.clock.now(),
    }),
  )
  return false
}

async function nextAccounts(tx: Tx, system: System, { day }: Day, platformId: string): Promise<Account[] | 'complete'> {
  const row = await tx
    .selectFrom('reconciliation_readings')
    .select(['last_account', 'is_complete'])
    .where('workspace_id', '=', system.workspaceId)
    .where('day', '=', day)
    .where('platform_id', '=', platformId)
    .executeTakeFirstOrThrow()
  if (row.is_complete) return 'complete'
  let accounts = tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'platform_login', 'platform_registered_at', 'currency'])
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', platformId)
    .where('live_account', '=', true)
  if (row.last_account) accounts = accounts.where('account_id', '>', row.last_account)
  return accounts.orderBy('account_id').limit(accountsAtOnce).execute()
}

/**
 * An account that is missing in a batch. Null where the platform no longer has it, or does not show its group to our
 * manager login: then neither its holder nor the currency of its deals is known.
 */
async function findAlone(gateway: TradingGateway, { platform_login }: Account): Promise<RegisteredAccount | null> {
  try {
    return await gateway.readAccount(platform_login)
  } catch (problem) {
    if (isGone(problem) || isForbidden(problem)) return null
    throw problem
  }
}

/** Null for an account that the platform no longer has: what was read of it before stays. */
async function readDeals(
  gateway: TradingGateway,
  { platform_login }: Account,
  { from, to }: Span,
): Promise<Deal[] | null> {
  const [first, last] = [from, to].map((at) => Math.floor(at.getTime() / 1000)) as [number, number]
  const deals: Deal[] = []
  try {
    for await (const deal of gateway.listDeals(platform_login, first - marginSeconds, last + marginSeconds)) {
      if (moneyWords.includes(deal.cmd)) deals.push(deal)
    }
  } catch (problem) {
    if (isGone(problem)) return null
    throw problem
  }
  return deals
}

/** Without deals for an account that somebody else got or that is hidden: what was read of it before stays too. */
type ReadDeals = { day: Day; platformId: string; account: Account; deals: Deal[] | null }

async function keep(tx: Tx, system: System, { day, platformId, account, deals }: ReadDeals): Promise<void> {
  if (deals) await replaceOperations(tx, system, { day, account, deals })
  // Platforms have thousands of deleted accounts: only those are noted that the comparison asks about.
  const isUnread = !deals && (await hasBooked(tx, system, account.account_id, day))
  const others = sql<string[]>`array_remove(unread_accounts, ${account.account_id}::uuid)`
  await changeReading(tx, system, day, platformId, {
    last_account: account.account_id,
    accounts_read: sql<number>`accounts_read + 1`,
    unread_accounts: isUnread ? sql<string[]>`array_append(${others}, ${account.account_id}::uuid)` : others,
  })
}

/**
 * The platform's answer replaces stored rows: an operation reversed there is deleted here. One that was read while the
 * platform kept the account in another currency stays as it was read.
 */
async function replaceOperations(
  tx: Tx,
  system: System,
  { day, account, deals }: { day: Day; account: Account; deals: Deal[] },
): Promise<void> {
  const place = { workspace_id: system.workspaceId, account_id: account.account_id }
  await tx
    .deleteFrom('platform_operations')
    .where('workspace_id', '=', place.workspace_id)
    .where('account_id', '=', place.account_id)
    .where('at', '>=', day.from)
    .where('at', '<', day.to)
    .where(sql<boolean>`ticket <> all (${deals.map(({ id }) => id)}::text[])`)
    .execute()
  for (const deal of deals) {
    const tag = deal.comment.slice(0, INTENT_TAG_CHARS).toUpperCase()
    const said = {
      amount: deal.profit,
      tag: isIntentTag(tag) ? tag : null,
      at: new Date(deal.at * 1000),
    }
    await tx
      .insertInto('platform_operations')
      .values({ ...place, ticket: deal.id, currency: account.currency, ...said })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'account_id', 'ticket'])
          .doUpdateSet(said)
          .where('platform_operations.currency', '=', account.currency),
      )
      .execute()
  }
}

async function noteProblem(system: System, day: Day, platformId: string, problem: string): Promise<false> {
  await inTransaction(system, (tx) => changeReading(tx, system, day, platformId, { problem }))
  return false
}

type Change = UpdateObject<DB, 'reconciliation_readings'>

async function changeReading(tx: Tx, system: System, { day }: Day, platformId: string, change: Change): Promise<void> {
  await tx
    .updateTable('reconciliation_readings')
    .set({ ...change, touched_at: system.context.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('day', '=', day)
    .where('platform_id', '=', platformId)
    .execute()
}
