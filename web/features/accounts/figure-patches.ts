import type { LiveAccount } from '@atrium/contract/live-figures.ts'
import { ApiError } from '../../api/api-error.ts'
import type { AccountDetail } from './use-account.ts'
import type { Account } from './use-accounts.ts'

export type Known = Account[] | AccountDetail | null | undefined
export type Patch = <Shown extends Account | AccountDetail>(account: Shown) => Shown

/** What a list or a page holds, with each account as the patch has it. */
export function patchKnown(known: Known, patch: Patch): Known {
  if (!known) return known
  return Array.isArray(known) ? known.map(patch) : patch(known)
}

export const withFigures = (told: ReadonlyMap<string, LiveAccount>): Patch => {
  return (account) => {
    const live = told.get(account._id)
    if (!live) return account
    const { floating_pnl, ...figures } = live
    return { ...account, ...figures, trade_info: { floating_pnl } }
  }
}

/** Nothing was heard for a while: what is shown was true when the last word came. */
export const asOf = (heardAt: number): Patch => {
  return (account) =>
    account.balance_is_live ? { ...account, balance_is_live: false, balance_as_of: heardAt } : account
}

const firstPauseMs = 1_000
const pauseMaxMs = 30_000
/** Closed to this member for now; it may be open again later. */
const closedPauseMs = 60_000
/** What was thrown, or the code that the server ended with; neither when the line just broke. */
export type Ending = { error: unknown; ended: string | null }

/** Doubling, and never in step with the others that lost the same server. */
export function pauseAfter(failures: number, { error, ended }: Ending, random = Math.random()): number {
  const told = error instanceof ApiError ? error.retryAfterSeconds : null
  if (told !== null) return told * 1_000 * (1 + random / 2)
  // The next call of whoever was signed out says so.
  if (ended === 'unauthenticated') return 0
  const isClosed = error instanceof ApiError ? !error.isPassing : ended !== null && ended !== 'unavailable'
  const pauseMs = isClosed ? closedPauseMs : Math.min(firstPauseMs * 2 ** failures, pauseMaxMs)
  return pauseMs * (0.5 + random / 2)
}
