import { isMore, isSame } from '@atrium/contract/money/money.ts'
import { wordsCharsMax } from '../../ui/lists/search-shapes.ts'
import type { Account } from './use-accounts.ts'

const kinds = ['live', 'demo'] as const
const orders = ['newest', 'login', 'balance', 'result'] as const
export type AccountOrder = (typeof orders)[number]

/** Filters and order of the list, as stored in the URL. */
export type AccountsSearch = { kind: (typeof kinds)[number] | ''; platform: string; order: AccountOrder; q: string }

/** Shorter lists need no filters. */
const manyAccounts = 4
export const areMany = (accounts: number): boolean => accounts >= manyAccounts

/** Invalid values in the URL are ignored. */
export function readAccountsSearch(search: Record<string, unknown>): AccountsSearch {
  return {
    kind: kinds.find((kind) => kind === search.kind) ?? '',
    platform: typeof search.platform === 'string' ? search.platform.slice(0, 100) : '',
    order: orders.find((order) => order === search.order) ?? 'newest',
    // The router parses a login in the URL as a number.
    q: typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q).slice(0, wordsCharsMax) : '',
  }
}

export function writeAccountsSearch({ kind, platform, order, q }: AccountsSearch): Record<string, string> {
  return {
    ...(kind && { kind }),
    ...(platform && { platform }),
    ...(order !== 'newest' && { order }),
    ...(q && { q }),
  }
}

type Shown = Pick<
  Account,
  'live_account' | 'trading_platform' | 'platform_login' | 'currency' | 'balance' | 'trade_info' | 'city' | 'group'
>

const byText = (left: string, right: string) => left.localeCompare(right, 'en', { numeric: true })

/** Amounts in different currencies compare as equal; unknown amounts come last. */
function byAmount(left: string | null | undefined, right: string | null | undefined): number {
  if (left == null || right == null) return Number(left == null) - Number(right == null)
  if (isSame(left, right)) return 0
  return isMore(left, right) ? -1 : 1
}

const comparisons: Record<Exclude<AccountOrder, 'newest'>, (left: Shown, right: Shown) => number> = {
  login: (left, right) => byText(left.platform_login, right.platform_login),
  balance: (left, right) => byText(left.currency, right.currency) || byAmount(left.balance, right.balance),
  result: (left, right) =>
    byText(left.currency, right.currency) || byAmount(left.trade_info?.floating_pnl, right.trade_info?.floating_pnl),
}

/** True when every word occurs in the visible text of the account, with or without the `#` before numbers. */
function matchesText({ platform_login, trading_platform, currency, city, group }: Shown, q: string): boolean {
  const shown = [platform_login, trading_platform.name, currency, city, group].join(' ').toLowerCase()
  return q
    .toLowerCase()
    .split(/[\s#]+/)
    .every((word) => shown.includes(word))
}

/** The input is newest first, and the sort is stable. */
export function chooseAccounts<Each extends Shown>(accounts: readonly Each[], search: AccountsSearch): Each[] {
  const { kind, platform, order, q } = search
  const chosen = accounts.filter(
    (account) =>
      (kind === '' || account.live_account === (kind === 'live')) &&
      (platform === '' || account.trading_platform._id === platform) &&
      matchesText(account, q),
  )
  return order === 'newest' ? chosen : chosen.toSorted(comparisons[order])
}
