import type { FiguresEvent, LiveAccount } from '@atrium/contract/accounts/live-figures.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isFigures, paths } from '../../api/first-calls.ts'
import type { StreamEvent } from '../../api/streams/events.ts'
import { keepFollowing } from '../../api/streams/keep-following.ts'
import { asOf, type Known, type Patch, patchKnown, withFigures } from './figure-patches.ts'
import { accountsKey } from './use-accounts.ts'

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
 * Follows the member's figures while the page is visible and patches the cached queries. While disconnected, the figures show
 * their time. Returns a function that stops it.
 */
export function followFigures(client: QueryClient): () => void {
  let fading: ReturnType<typeof setTimeout> | undefined
  let heardAt = Date.now()
  let drawing: ReturnType<typeof setTimeout> | undefined
  let drawnAtMs = Number.NEGATIVE_INFINITY
  const undrawn = new Map<string, LiveAccount>()

  const draw = () => {
    clearTimeout(drawing)
    drawing = undefined
    if (undrawn.size === 0) return
    drawnAtMs = performance.now()
    changeAll(client, withFigures(new Map(undrawn)))
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
  const fade = () => {
    clearTimeout(fading)
    fading = setTimeout(() => changeAll(client, asOf(heardAt)), Math.max(0, heardAt + liveForMs - Date.now()))
  }
  const stop = keepFollowing({
    path: paths.watchFigures,
    onEvent,
    onOpen: () => clearTimeout(fading),
    onGone: (how) => {
      draw()
      // The server sends only changes, so the figures shown were valid until now.
      if (how === 'let-go') heardAt = Date.now()
      fade()
    },
  })
  return () => {
    stop()
    clearTimeout(fading)
    clearTimeout(drawing)
  }
}
