import type { LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Clock } from '../foundation/clock.ts'
import type { Tx } from '../foundation/database/database.ts'
import { keepRecent } from '../foundation/database/recent.ts'
import type { ReadAccount } from './account-metrics.ts'
import { isLive } from './sync.ts'

export type WatchedRow = Awaited<ReturnType<typeof readWatched>>[number]
/** `serialized`: what is compared with the last event. It leaves out the reading time, so that unchanged metrics send no event. */
type Viewed = { account: LiveAccount; serialized: string }
/** An account as sent to its owner. */
export type Watched = { memberId: string; accountId: string; view(): Viewed }

/** The accounts of watching members with their stored metrics. */
export function readWatched(tx: Tx, system: System, memberIds: readonly string[]) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'platform_id', 'platform_login', 'currency', 'leverage', 'synced_at'])
    .select(['balance', 'equity', 'credit', 'floating', 'margin', 'margin_free', 'margin_level'])
    .select(['archived', 'asked_at', 'asked_by', 'platform_registered_at'])
    .where('workspace_id', '=', system.workspaceId)
    .where(sql<boolean>`member_id = any(${memberIds}::uuid[])`)
    .where('deleted', '=', false)
    .execute()
}

type Metrics = Omit<LiveAccount, 'balance_as_of' | 'balance_is_live'>
/** As stored, or as the platform reported them. */
type Given = Pick<WatchedRow, 'account_id' | 'currency' | 'leverage' | Amount | 'margin_level'>
type Amount = 'balance' | 'equity' | 'credit' | 'floating' | 'margin' | 'margin_free'

function metricsOf(given: Given): Metrics {
  const money = (amount: string | null) => (amount === null ? null : toScale(amount, given.currency))
  return {
    _id: given.account_id,
    balance: money(given.balance),
    equity: money(given.equity),
    credit: money(given.credit),
    floating_pnl: money(given.floating),
    margin: money(given.margin),
    margin_free: money(given.margin_free),
    margin_level: given.margin_level,
    leverage: given.leverage,
  }
}

export function viewOf(row: WatchedRow, clock: Clock): LiveAccount {
  return { ...metricsOf(row), ...ageOf(row, clock) }
}

const ageOf = ({ synced_at }: WatchedRow, clock: Clock) => ({
  balance_as_of: synced_at?.getTime() ?? null,
  balance_is_live: isLive(synced_at, clock),
})

/** Several per stream of a process. */
const accountsMax = 20_000

/** Views for all watchers, which format an account's metrics only when they have changed since its last view. */
export function keepViews(clock: Clock) {
  const made = keepRecent<{ from: string; metrics: Metrics; serialized: string }>(accountsMax)

  function find(given: Given) {
    const { account_id, currency, leverage, balance, equity, credit, floating, margin, margin_free, margin_level } =
      given
    const from = `${currency} ${leverage} ${balance} ${equity} ${credit} ${floating} ${margin} ${margin_free} ${margin_level}`
    const known = made.find(account_id)
    if (known?.from === from) return known
    const metrics = metricsOf(given)
    const fresh = { from, metrics, serialized: JSON.stringify(metrics) }
    made.keep(account_id, fresh)
    return fresh
  }

  function view(given: Given, age: Pick<LiveAccount, 'balance_as_of' | 'balance_is_live'>): Viewed {
    const { metrics, serialized } = find(given)
    return { account: { ...metrics, ...age }, serialized: `${serialized} ${age.balance_is_live}` }
  }

  return {
    ofRow: (row: WatchedRow): Viewed => view(row, ageOf(row, clock)),
    /** The account with the platform's latest answer, before it is read back from the database. */
    ofState({ account_id, currency, state }: ReadAccount): Viewed {
      const { marginFree: margin_free, marginLevel: margin_level, ...others } = state
      const age = { balance_as_of: clock.now().getTime(), balance_is_live: true }
      return view({ ...others, account_id, currency, margin_free, margin_level }, age)
    },
  }
}
