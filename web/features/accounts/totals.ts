import { addAmounts, subtractAmounts } from '@atrium/contract/money/money.ts'
import type { Account } from './use-accounts.ts'

export type CurrencyTotal = {
  currency: string
  equity: string
  floating: string
  accounts: number
  /** The change since the start of the day; null if it is unknown for every account. */
  today: string | null
}

type Counted = Pick<
  Account,
  '_id' | 'currency' | 'equity' | 'balance' | 'live_account' | 'deleted' | 'archived' | 'trade_info'
>

/**
 * Equity per currency of the live accounts: amounts in different currencies are never added, and demo funds do not count.
 * The workspace's currency comes first, then the one with the most accounts.
 */
export function equityPerCurrency(
  accounts: Counted[],
  firstCurrency: string,
  dayEquity: ReadonlyMap<string, string> = new Map(),
): CurrencyTotal[] {
  const totals = new Map<string, CurrencyTotal>()
  for (const account of accounts) {
    if (!account.live_account || account.deleted || account.archived) continue
    const { currency } = account
    const before = totals.get(currency) ?? { currency, equity: '0', floating: '0', accounts: 0, today: null }
    const [now, began] = [account.equity ?? account.balance, dayEquity.get(account._id)]
    const moved = now !== null && began !== undefined ? subtractAmounts(now, began) : null
    totals.set(currency, {
      currency,
      equity: addAmounts(before.equity, account.equity ?? account.balance ?? '0'),
      floating: addAmounts(before.floating, account.trade_info?.floating_pnl ?? '0'),
      accounts: before.accounts + 1,
      today: moved === null ? before.today : addAmounts(before.today ?? '0', moved),
    })
  }
  const rank = ({ currency, accounts: count }: CurrencyTotal) =>
    currency === firstCurrency ? Number.POSITIVE_INFINITY : count
  return [...totals.values()].sort((left, right) => rank(right) - rank(left))
}
