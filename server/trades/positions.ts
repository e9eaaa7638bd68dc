import { sql } from 'kysely'
import { z } from 'zod'
import { isNumberReused, isReused } from '../accounts/differences.ts'
import { isLive } from '../accounts/sync.ts'
import { type Actor, type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { activeMember } from '../foundation/database/member-lock.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { describeProblem } from '../observability/log.ts'
import type { Position, TradingGateway } from '../trading-platforms/contract.ts'
import { isGone } from '../trading-platforms/refusals.ts'
import type { Traded } from './history.ts'

/** Tabs and pages that poll every second share one read of the platform. */
const freshMs = 1_500
/** The longest wait of a member; then the last known positions are shown with their time. */
export const waitMsMax = 4_000
/** Metrics no older than this count as live. */
const liveMs = 15_000
/** Limits the size of the answer. A part of the positions would pass for all of them, and its sum for theirs. */
const positionsMax = 5_000

const decimal = z.string()
const storedPositions = z.array(
  z.object({
    id: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    hundredths: decimal,
    openPrice: decimal,
    currentPrice: decimal,
    sl: decimal.nullable(),
    tp: decimal.nullable(),
    profit: decimal,
    swap: decimal,
    openedAt: z.number(),
    reason: z.number(),
    comment: z.string(),
  }),
)
export type StoredPosition = z.infer<typeof storedPositions>[number]
export type OpenPositions = { positions: StoredPosition[]; readAt: Date | null; isLive: boolean }

type Account = Traded & { platform_login: string }

/** Reads in progress in this process; concurrent callers share them. */
const underWay = new WeakMap<Context, Map<string, Promise<void>>>()

/** Open positions of an account that the actor may see. Never throws for a platform failure. */
export async function readPositions(actor: Actor, account: Account): Promise<OpenPositions> {
  let stored = await readStored(actor, account)
  if (ageOf(actor, stored) >= freshMs) {
    await waitAtMost(waitMsMax, refreshOnce(actor, account))
    stored = await readStored(actor, account)
  }
  return { ...stored, isLive: ageOf(actor, stored) < liveMs }
}

/** A time well ahead of ours says nothing: our clock was set back since. */
function ageOf({ context }: Actor, { readAt }: { readAt: Date | null }): number {
  const ageMs = readAt === null ? Number.POSITIVE_INFINITY : +context.clock.now() - +readAt
  return ageMs < -freshMs ? Number.POSITIVE_INFINITY : ageMs
}

function refreshOnce(actor: Actor, account: Account): Promise<void> {
  const { context } = actor
  const running = underWay.get(context) ?? new Map<string, Promise<void>>()
  underWay.set(context, running)
  const key = `${actor.workspaceId}/${account.account_id}`
  const earlier = running.get(key)
  if (earlier) return earlier
  const work = refresh(actor, account)
    .catch((problem) =>
      context.log.warn({ err: describeProblem(problem), account: account.account_id }, 'positions not read'),
    )
    .finally(() => running.delete(key))
  running.set(key, work)
  return work
}

async function refresh(actor: Actor, account: Account): Promise<void> {
  // Another call may have refreshed them meanwhile.
  if (ageOf(actor, await readStored(actor, account)) < freshMs) return
  const system = systemActor(actor.context, actor.workspaceId)
  const known = await reading(system, async (tx) => ({
    ...(await readRegistration(tx, system, account)),
    isReused: await isNumberReused(tx, system, account),
  }))
  if (known.isReused) return forget(system, account)
  const link = await actor.context.platforms.link(actor, account.platform_id)
  if (!link) return
  const at = await readAtPlatform(system, { ...account, ...known }, link.gateway)
  if (at && isReused(known, at)) return forget(system, account)
  // Their profit would be shown in the currency that we know, as other money than it is.
  if (at && at.currency !== known.currency) return
  const positions = await link.gateway.listPositions(account.platform_login)
  await keep(actor, account, positions)
}

type Known = Account & Awaited<ReturnType<typeof readRegistration>>

function readRegistration(tx: Tx, system: System, account: Account) {
  return tx
    .selectFrom('trading_accounts')
    .select(['platform_registered_at', 'synced_at', 'currency'])
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', account.account_id)
    .executeTakeFirstOrThrow()
}

/**
 * Asks the platform, which since the last comparison may have given the number away or moved the account to a group of
 * another currency. Live metrics have asked already.
 */
async function readAtPlatform(system: System, known: Known, gateway: TradingGateway) {
  if (isLive(known.synced_at, system.context.clock)) return undefined
  try {
    return await gateway.readAccount(known.platform_login)
  } catch (problem) {
    if (isGone(problem)) return undefined
    throw problem
  }
}

/** Positions that were read before somebody noticed that they are another person's. */
async function forget(system: System, { account_id }: Account): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('trade_histories')
      .set({ positions: null, positions_read_at: null })
      .where('workspace_id', '=', system.workspaceId)
      .where('account_id', '=', account_id)
      .execute(),
  )
}

async function keep(actor: Actor, account: Account, positions: readonly Position[]): Promise<void> {
  const system = systemActor(actor.context, actor.workspaceId)
  const now = system.context.clock.now()
  const { account_id, member_id, platform_id } = account
  if (positions.length > positionsMax) throw new Error(`An account has more than ${positionsMax} open positions`)
  const stored = storedPositions.parse(positions)
  await inTransaction(system, async (tx) => {
    // Noticed while the platform was read, which may take long.
    if (await isNumberReused(tx, system, account)) return
    await sql`
      insert into trade_histories (workspace_id, account_id, member_id, platform_id, asked_at, positions, positions_read_at)
      select ${system.workspaceId}::uuid, ${account_id}::uuid, ${member_id}::uuid, ${platform_id}::uuid, ${now}::timestamptz,
        ${JSON.stringify(stored)}::jsonb, ${now}::timestamptz
      from ${activeMember(system, member_id)}
      on conflict (workspace_id, account_id) do update
        set positions = excluded.positions, positions_read_at = excluded.positions_read_at`.execute(tx)
  })
}

async function readStored(
  actor: Actor,
  account: Account,
): Promise<{ positions: StoredPosition[]; readAt: Date | null }> {
  const row = await reading(actor, (tx) =>
    tx
      .selectFrom('trade_histories')
      .select(['positions', 'positions_read_at'])
      .where('workspace_id', '=', actor.workspaceId)
      .where('account_id', '=', account.account_id)
      .executeTakeFirst(),
  )
  return { positions: storedPositions.parse(row?.positions ?? []), readAt: row?.positions_read_at ?? null }
}
