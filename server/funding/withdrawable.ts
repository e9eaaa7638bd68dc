import { addAmounts, type Decimal, subtractAmounts } from '@atrium/contract/money/money.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { sql } from 'kysely'
import { isReused } from '../accounts/differences.ts'
import { type Actor, systemActor } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { describeProblem } from '../observability/log.ts'
import { spendableOf } from '../trading-platforms/amounts.ts'
import type { RegisteredAccount } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'

/** A member waits for this answer; a slower platform counts as unavailable. */
const waitMsMax = 4_000
/** Older metrics do not show what is available now. */
const freshForMs = 15_000
/** Longer than reading the metrics and deciding take, including clock differences between processes. */
const lookBackMs = 3_600_000

type Account = { account_id: string; platform_id: string; platform_login: string }

/** The account's metrics from its platform, and the debits known at that time. */
export type PlatformAccountMetrics = {
  balance: Decimal
  freeMargin: Decimal
  /** The most that could leave the account if nothing were reserved. */
  spendable: Decimal
  readAt: Date
  debitsKnown: ReadonlySet<string>
  debitsSince: Date
}

/**
 * Queries the platform; null when it does not answer in time, or shows somebody else's account or one in another currency
 * under the number. Never call it inside a transaction.
 */
export async function readPlatformAccountMetrics(
  actor: Actor,
  account: Account,
): Promise<PlatformAccountMetrics | null> {
  const debitsSince = new Date(actor.context.clock.now().getTime() - lookBackMs)
  const { debits, known } = await reading(actor, async (tx) => ({
    debits: await listDebits(tx, actor, account.account_id, debitsSince),
    known: await readRegistration(tx, actor, account.account_id),
  }))
  const readAt = actor.context.clock.now()
  const state = await waitAtMost(waitMsMax, askPlatform(actor, account))
  if (!state || state.currency !== known.currency || isReused(known, state)) return null
  const { balance, marginFree } = state
  const debitsKnown = new Set(debits.map(({ transaction_id }) => transaction_id))
  return { balance, freeMargin: marginFree, spendable: spendableOf(state), readAt, debitsKnown, debitsSince }
}

function readRegistration(tx: Tx, actor: Actor, accountId: string) {
  return tx
    .selectFrom('trading_accounts')
    .select(['platform_registered_at', 'currency'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

async function askPlatform(actor: Actor, account: Account): Promise<RegisteredAccount | null> {
  try {
    const link = await findLink(systemActor(actor.context, actor.workspaceId), account.platform_id)
    if ('problem' in link) return null
    return await link.gateway.readAccount(account.platform_login)
  } catch (problem) {
    actor.context.log.warn({ err: describeProblem(problem), platform: account.platform_id }, 'account not read')
    return null
  }
}

export function refuseSilentPlatform(): never {
  refuse('unavailable', withdrawalTexts.platformSilent)
}

type Free = { reserved: Decimal; available: Decimal; sawNewDebits: boolean }

/**
 * The available amount of an account with a locked row: the platform's metrics less the reserved amount. The metrics
 * may or may not include a debit recorded after they were read; it counts as reserved, and the caller may query again.
 */
export async function readFree(
  tx: Tx,
  actor: Actor,
  accountId: string,
  metrics: PlatformAccountMetrics,
): Promise<Free> {
  if (actor.context.clock.now().getTime() - metrics.readAt.getTime() > freshForMs) refuseSilentPlatform()
  const open = await readReserved(tx, actor, accountId)
  const debits = await listDebits(tx, actor, accountId, metrics.debitsSince)
  const fresh = debits.filter(({ transaction_id }) => !metrics.debitsKnown.has(transaction_id))
  const reserved = fresh.reduce((sum, { amount }) => addAmounts(sum, amount), open)
  return { reserved, available: subtractAmounts(metrics.spendable, reserved), sawNewDebits: fresh.length > 0 }
}

/** The sum of requested withdrawals that are not debited yet. */
export async function readReserved(tx: Tx, actor: Actor, accountId: string): Promise<Decimal> {
  const row = await tx
    .selectFrom('balance_transactions')
    .select(sql<string>`coalesce(sum(amount), 0)::text`.as('reserved'))
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .where('type', '=', 'withdrawal')
    .where('state', 'in', ['pending', 'debiting', 'checking'])
    .executeTakeFirstOrThrow()
  return row.reserved
}

function listDebits(tx: Tx, actor: Actor, accountId: string, since: Date) {
  return tx
    .selectFrom('balance_transactions')
    .select(['transaction_id', 'amount'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .where('type', '=', 'withdrawal')
    .where('debited_at', '>=', since)
    .execute()
}

/** Serializes decisions about the account's money. */
export async function lockAccount(tx: Tx, actor: Actor, accountId: string): Promise<void> {
  await tx
    .selectFrom('trading_accounts')
    .select('account_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute()
}
