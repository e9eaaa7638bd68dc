import { type FiguresEvent, figuresEvent, watchFigures } from '@atrium/contract/accounts/live-figures.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { ToldEvent } from '../../api/events.ts'
import { keepFollowing } from '../../api/keep-following.ts'
import { asOf, type Known, type Patch, patchKnown, withFigures } from './figure-patches.ts'
import { accountsKey } from './use-accounts.ts'

const changeAll = (client: QueryClient, patch: Patch) =>
  client.setQueriesData<Known>({ queryKey: accountsKey }, (known) => patchKnown(known, patch))

/** Whether every list that is held has the accounts that were told of, and no other. */
function isListed(client: QueryClient, { accounts, gone }: FiguresEvent): boolean {
  const held = client.getQueriesData<Known>({ queryKey: accountsKey }).map(([, known]) => known)
  return held.filter(Array.isArray).every((list) => {
    const ids = new Set(list.map(({ _id }: { _id: string }) => _id))
    return accounts.every(({ _id }) => ids.has(_id)) && gone.every((id) => !ids.has(id))
  })
}

/** As long as the server calls a figure live. */
const liveForMs = 15_000

/**
 * Follows the member's figures while the page is looked at, and writes them into whatever shows them. Where the line is
 * gone, the figures say of what time they are. Answers how to stop.
 */
export function followFigures(client: QueryClient): () => void {
  let fading: ReturnType<typeof setTimeout> | undefined
  let heardAt = Date.now()

  const onEvent = (event: ToldEvent) => {
    heardAt = Date.now()
    const told = event.name === 'figures' ? figuresEvent.safeParse(event.data) : null
    if (!told?.success) return
    if (!isListed(client, told.data)) client.invalidateQueries({ queryKey: accountsKey })
    changeAll(client, withFigures(new Map(told.data.accounts.map((account) => [account._id, account]))))
  }
  const fade = () => {
    clearTimeout(fading)
    fading = setTimeout(() => changeAll(client, asOf(heardAt)), Math.max(0, heardAt + liveForMs - Date.now()))
  }
  const stop = keepFollowing({
    path: watchFigures.path,
    onEvent,
    onOpen: () => clearTimeout(fading),
    onGone: (how) => {
      // Only changes are told, so until now what is shown was true.
      if (how === 'let-go') heardAt = Date.now()
      fade()
    },
  })
  return () => {
    stop()
    clearTimeout(fading)
  }
}
