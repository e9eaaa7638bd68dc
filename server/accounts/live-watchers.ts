import type { AccountMetricsEvent } from '@atrium/contract/accounts/live-metrics.ts'
import { sendEvent, type Watcher } from '../foundation/streams/stream-watchers.ts'
import type { Watched } from './live-view.ts'

/** The last event sent for each account, so that only changes are sent. */
type SentMetrics = Map<string, string>
export type AccountMetricsWatcher = Watcher<SentMetrics>

/**
 * `isAll`: the list is complete, so a missing account is gone. `isComing`: the platform is being asked about the
 * account, and its answer follows.
 */
type Options = { isAll?: boolean; isComing?: (accountId: string) => boolean }

/** Sends what changed since the last event. */
function send(watcher: AccountMetricsWatcher, own: readonly Watched[], { isAll = false, isComing }: Options): void {
  const changed = own
    .filter(({ accountId }) => !isComing?.(accountId))
    .map(({ view }) => view())
    .filter(({ account, serialized }) => watcher.sent.get(account._id) !== serialized)
  const gone = isAll ? findGone(watcher.sent, own) : []
  if (changed.length === 0 && gone.length === 0) return
  for (const { account, serialized } of changed) watcher.sent.set(account._id, serialized)
  for (const id of gone) watcher.sent.delete(id)
  const event: AccountMetricsEvent = { accounts: changed.map(({ account }) => account), gone }
  sendEvent(watcher, 'figures', event)
}

function findGone(sent: SentMetrics, own: readonly Watched[]): string[] {
  const known = new Set(own.map(({ accountId }) => accountId))
  return [...sent.keys()].filter((id) => !known.has(id))
}

/** Sends each watcher only the accounts of its member. */
export function notifyOwners(
  watchers: readonly AccountMetricsWatcher[],
  accounts: readonly Watched[],
  options: Options = {},
): void {
  const byOwner = Map.groupBy(accounts, ({ memberId }) => memberId)
  for (const watcher of watchers) send(watcher, byOwner.get(watcher.member.memberId) ?? [], options)
}
