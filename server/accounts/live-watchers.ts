import type { FiguresEvent, LiveAccount } from '@atrium/contract/accounts/live-figures.ts'
import { say, type Watcher } from '../foundation/stream-watchers.ts'
import type { Watched } from './live-view.ts'

/** The last event sent for each account, so that only changes are sent. */
type Told = Map<string, string>
export type FigureWatcher = Watcher<Told>

/**
 * `isAll`: the list is complete, so a missing account is gone. `isComing`: the platform is being asked about the
 * account, and its answer follows.
 */
type Manner = { isAll?: boolean; isComing?: (accountId: string) => boolean }

/** Sends what changed since the last event. */
function tell(watcher: FigureWatcher, own: readonly LiveAccount[], { isAll = false, isComing }: Manner): void {
  const accounts = own.filter(
    (account) => !isComing?.(account._id) && watcher.told.get(account._id) !== wordsOf(account),
  )
  const known = new Set(own.map(({ _id }) => _id))
  const gone = isAll ? [...watcher.told.keys()].filter((id) => !known.has(id)) : []
  if (accounts.length === 0 && gone.length === 0) return
  for (const account of accounts) watcher.told.set(account._id, wordsOf(account))
  for (const id of gone) watcher.told.delete(id)
  const event: FiguresEvent = { accounts, gone }
  say(watcher, 'figures', event)
}

/** Ignores the reading time, so that unchanged figures send no event. */
function wordsOf({ balance_as_of: _, ...figures }: LiveAccount): string {
  return JSON.stringify(figures)
}

/** Sends each watcher only the accounts of its member. */
export function notifyOwners(
  watchers: readonly FigureWatcher[],
  accounts: readonly Watched[],
  manner: Manner = {},
): void {
  const byOwner = Map.groupBy(accounts, ({ memberId }) => memberId)
  for (const watcher of watchers) {
    const own = byOwner.get(watcher.member.memberId) ?? []
    tell(
      watcher,
      own.map(({ view }) => view),
      manner,
    )
  }
}
