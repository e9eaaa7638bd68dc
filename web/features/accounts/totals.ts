import { addAmounts } from '@atrium/contract/money.ts'
import type { Account } from './use-accounts.ts'

export type CurrencyTotal = { currency: string; equity: string; floating: string; accounts: number }

type Counted = Pick<Account, 'currency' | 'equity' | 'balance' | 'live_account' | 'deleted' | 'archived' | 'trade_info'>

/**
 * Equity per currency of the live accounts: currencies are never added up, and demo money is not money.
 * The workspace's own currency comes first, then the one with the most accounts.
 */
export function equityPerCurrency(accounts: Counted[], firstCurrency: string): CurrencyTotal[] {
  const totals = new Map<string, CurrencyTotal>()
  for (const account of accounts) {
    if (!account.live_account || account.deleted || account.archived) continue
    const { currency } = account
    const before = totals.get(currency) ?? { currency, equity: '0', floating: '0', accounts: 0 }
    totals.set(currency, {
      currency,
      equity: addAmounts(before.equity, account.equity ?? account.balance ?? '0'),
      floating: addAmounts(before.floating, account.trade_info?.floating_pnl ?? '0'),
      accounts: before.accounts + 1,
    })
  }
  const rank = ({ currency, accounts: count }: CurrencyTotal) =>
    currency === firstCurrency ? Number.POSITIVE_INFINITY : count
  return [...totals.values()].sort((left, right) => rank(right) - rank(left))
}
