import type { FiguresEvent, LiveAccount } from '@atrium/contract/accounts/live-figures.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isFigures, paths } from '../../api/first-calls.ts'
import type { StreamEvent } from '../../api/streams/events.ts'
import { keepFollowing } from '../../api/streams/keep-following.ts'
import { accountsKey } from './accounts-key.ts'
import { asOf, type Known, type Patch, patchKnown, withFigures } from './figure-patches.ts'

const changeAll = (client: QueryClient, patch: Patch) =>
  client.setQueriesData<Known>({ queryKey: accountsKey }, (known) => patchKnown(known, patch))

/** True when every cached list contains exactly the accounts of the event. */
function isListed(client: QueryClient, { accounts, gone }: FiguresEvent): boolean {
  const held = client.getQueriesData<Known>({ queryKey: accountsKey }).map(([, known]) => known)
  return held.filter(Array.isArray).every((list) => {
    const ids = new Set(list.map(({ _id }: { _id: string }) => _id))
    return accounts.every(({ _id }) => ids.has(_id)) && gone.every((id) => !ids.has(id))
  })
}

/** The server calls a figure live for this long. */
const liveForMs = 15_000
/** More frequent updates are unreadable, and each one costs a phone CPU time. */
const drawnEveryMs = 1_000

/**
 * Follows the member's figures while the page is visible and patches the cached queries, at most once a second. While
 * disconnected, the figures show their time. Nothing is patched, so nothing re-renders, while the page is hidden. Returns a
 * function that stops it.
 */
export function followFigures(client: QueryClient): () => void {
  let fading: ReturnType<typeof setTimeout> | undefined
  let heardAt = Date.now()
  let drawing: ReturnType<typeof setTimeout> | undefined
  let drawnAtMs = Number.NEGATIVE_INFINITY
  const undrawn = new Map<string, LiveAccount>()
  /** The next draw dates the other figures to this time. */
  let staleSince: number | undefined

  const draw = () => {
    clearTimeout(drawing)
    drawing = undefined
    // After a pause the first event brings every account, so a hidden page needs no later draw.
    if (!document.hidden && (undrawn.size > 0 || staleSince !== undefined)) {
      drawnAtMs = performance.now()
      const [draws, dates] = [withFigures(new Map(undrawn)), staleSince === undefined ? null : asOf(staleSince)]
      changeAll(client, (account) => draws(dates ? dates(account) : account))
      staleSince = undefined
    }
    undrawn.clear()
  }
  const onEvent = (event: StreamEvent) => {
    heardAt = Date.now()
    if (event.name !== 'figures' || !isFigures(event.data)) return
    if (!isListed(client, event.data)) client.invalidateQueries({ queryKey: accountsKey })
    for (const account of event.data.accounts) undrawn.set(account._id, account)
    const waitMs = drawnAtMs + drawnEveryMs - performance.now()
    if (waitMs <= 0) draw()
    else drawing ??= setTimeout(draw, waitMs)
  }
  const date = () => {
    staleSince = heardAt
    draw()
  }
  const fade = () => {
    clearTimeout(fading)
    fading = setTimeout(date, Math.max(0, heardAt + liveForMs - Date.now()))
  }
  const stop = keepFollowing({
    path: paths.watchFigures,
    onEvent,
    onOpen: () => {
      clearTimeout(fading)
      if (heardAt + liveForMs > Date.now()) return
      // After a long pause the first event draws the new figures at once; without one, those of before are dated.
      staleSince = heardAt
      drawing ??= setTimeout(draw, drawnEveryMs)
    },
    onGone: (how) => {
      if (how === 'let-go') {
        draw()
        // The server sends only changes, so the figures shown were valid until now.
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
