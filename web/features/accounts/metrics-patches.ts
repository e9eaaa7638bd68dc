import type { LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import type { AccountDetail } from './use-account.ts'
import type { Account } from './use-accounts.ts'

export type Known = Account[] | AccountDetail | null | undefined
export type Patch = <Shown extends Account | AccountDetail>(account: Shown) => Shown

/** Patches each account in a list or a page. */
export function patchKnown(known: Known, patch: Patch): Known {
  if (!known) return known
  return Array.isArray(known) ? known.map(patch) : patch(known)
}

export const withMetrics = (incoming: ReadonlyMap<string, LiveAccount>): Patch => {
  return (account) => {
    const live = incoming.get(account._id)
    if (!live) return account
    const { floating_pnl, ...metrics } = live
    return { ...account, ...metrics, trade_info: { floating_pnl } }
  }
}

/** After a silence the metrics are dated with the last event. */
export const asOf = (heardAt: number): Patch => {
  return (account) =>
    account.balance_is_live ? { ...account, balance_is_live: false, balance_as_of: heardAt } : account
}
