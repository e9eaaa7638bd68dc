import type { AccountMetricsEvent, LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { isAccountMetrics, paths } from '../../api/first-calls.ts'
import type { StreamEvent } from '../../api/streams/events.ts'
import { keepFollowing } from '../../api/streams/keep-following.ts'
import { accountsKey } from './accounts-key.ts'
import { asOf, type Known, type Patch, patchKnown, withMetrics } from './metrics-patches.ts'

/** `patchOf`: the patch for what was read or patched at that time. */
const changeAll = (client: QueryClient, patchOf: (readAt: number) => Patch) =>
  notifyManager.batch(() => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: accountsKey }))
      client.setQueryData<Known>(queryKey, (known) => patchKnown(known, patchOf(state.dataUpdatedAt)))
  })

/** True when every cached list contains exactly the accounts of the event. */
function isListed(client: QueryClient, { accounts, gone }: AccountMetricsEvent): boolean {
  const held = client.getQueriesData<Known>({ queryKey: accountsKey }).map(([, known]) => known)
  return held.filter(Array.isArray).every((list) => {
    const ids = new Set(list.map(({ _id }: { _id: string }) => _id))
    return accounts.every(({ _id }) => ids.has(_id)) && gone.every((id) => !ids.has(id))
  })
}

/** The server calls metrics live for this long. */
const liveForMs = 15_000
/** More frequent updates are unreadable, and each one costs a phone CPU time. */
const drawnEveryMs = 1_000
/** A new connection brings the first metrics within two readings of the server and a call to the platform. */
const firstEventMs = 3_000

/**
 * Follows the member's account metrics while the page is visible and patches the cached queries, at most once a second;
 * while disconnected, the metrics show their time. Returns a function that stops it.
 */
export function followLiveMetrics(client: QueryClient): () => void {
  let fading: ReturnType<typeof setTimeout> | undefined
  let heardAt = Date.now()
  let drawing: ReturnType<typeof setTimeout> | undefined
  let drawnAtMs = Number.NEGATIVE_INFINITY
  const undrawn = new Map<string, LiveAccount>()
  /** The next draw dates the other metrics to this time: all of them, or those not read since. */
  let stale: { since: number; isAll: boolean } | undefined

  const draw = () => {
    clearTimeout(drawing)
    drawing = undefined
    // A new connection brings every account again, so a hidden page needs no later draw.
    if (!document.hidden && (undrawn.size > 0 || stale)) {
      if (undrawn.size > 0) drawnAtMs = performance.now()
      const [draws, dates] = [withMetrics(new Map(undrawn)), stale]
      stale = undefined
      changeAll(client, (readAt) => {
        const isDated = dates && (dates.isAll || readAt <= dates.since + drawnEveryMs)
        return isDated ? (account) => draws(asOf(dates.since)(account)) : draws
      })
    }
    undrawn.clear()
  }
  const onEvent = (event: StreamEvent) => {
    heardAt = Date.now()
    if (event.name !== 'figures' || !isAccountMetrics(event.data)) return
    if (!isListed(client, event.data)) client.invalidateQueries({ queryKey: accountsKey })
    for (const account of event.data.accounts) undrawn.set(account._id, account)
    const waitMs = drawnAtMs + drawnEveryMs - performance.now()
    clearTimeout(drawing)
    if (waitMs <= 0) draw()
    else drawing = setTimeout(draw, waitMs)
  }
  const date = () => {
    stale = { since: stale?.since ?? heardAt, isAll: !document.hidden }
    draw()
  }
  const fade = () => {
    clearTimeout(fading)
    fading = setTimeout(date, Math.max(0, heardAt + liveForMs - Date.now()))
  }
  const stop = keepFollowing({
    path: paths.watchAccountMetrics,
    onEvent,
    onOpen: () => {
      clearTimeout(fading)
      if (!stale && heardAt + liveForMs > Date.now()) return
      // After a long pause the first event draws the new metrics at once; without one, the earlier metrics show their
      // time.
      stale ??= { since: heardAt, isAll: false }
      drawing ??= setTimeout(draw, firstEventMs)
    },
    onGone: (how) => {
      if (how === 'disconnected') {
        draw()
        // The server sends only changes, so the metrics shown were valid until now, if none are to be dated.
        heardAt = Date.now()
      }
      fade()
    },
  })
  return () => {
    stop()
    draw()
    clearTimeout(fading)
  }
}
