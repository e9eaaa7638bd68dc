import type { AccountMetricsEvent, LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import { say, type Watcher } from '../foundation/streams/stream-watchers.ts'
import type { Watched } from './live-view.ts'

/** The last event sent for each account, so that only changes are sent. */
type SentMetrics = Map<string, string>
export type AccountMetricsWatcher = Watcher<SentMetrics>

/**
 * `isAll`: the list is complete, so a missing account is gone. `isComing`: the platform is being asked about the
 * account, and its answer follows.
 */
type Manner = { isAll?: boolean; isComing?: (accountId: string) => boolean }

/** Sends what changed since the last event. */
function send(watcher: AccountMetricsWatcher, own: readonly LiveAccount[], { isAll = false, isComing }: Manner): void {
  const accounts = own.filter(
    (account) => !isComing?.(account._id) && watcher.sent.get(account._id) !== serializeMetrics(account),
  )
  const known = new Set(own.map(({ _id }) => _id))
  const gone = isAll ? [...watcher.sent.keys()].filter((id) => !known.has(id)) : []
  if (accounts.length === 0 && gone.length === 0) return
  for (const account of accounts) watcher.sent.set(account._id, serializeMetrics(account))
  for (const id of gone) watcher.sent.delete(id)
  const event: AccountMetricsEvent = { accounts, gone }
  say(watcher, 'figures', event)
}

/** Ignores the reading time, so that unchanged metrics send no event. */
function serializeMetrics({ balance_as_of: _, ...metrics }: LiveAccount): string {
  return JSON.stringify(metrics)
}

/** Sends each watcher only the accounts of its member. */
export function notifyOwners(
  watchers: readonly AccountMetricsWatcher[],
  accounts: readonly Watched[],
  manner: Manner = {},
): void {
  const byOwner = Map.groupBy(accounts, ({ memberId }) => memberId)
  for (const watcher of watchers) {
    const own = byOwner.get(watcher.member.memberId) ?? []
    send(
      watcher,
      own.map(({ view }) => view),
      manner,
    )
  }
}
