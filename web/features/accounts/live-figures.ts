import { endEvent, type FiguresEvent, figuresEvent, watchFigures } from '@atrium/contract/live-figures.ts'
import type { QueryClient } from '@tanstack/react-query'
import { followEvents, type ToldEvent } from '../../api/events.ts'
import { asOf, type Ending, type Known, type Patch, patchKnown, pauseAfter, withFigures } from './figure-patches.ts'
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
 * Follows the member's figures while the page is looked at, and writes them into whatever shows them. A hidden page, a
 * sleeping computer and a lost line let go; the figures then say of what time they are. Answers how to stop.
 */
export function followFigures(client: QueryClient): () => void {
  let line: AbortController | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let fading: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let heardAt = Date.now()

  const hear = (event: ToldEvent) => {
    heardAt = Date.now()
    failures = 0
    const told = event.name === 'figures' ? figuresEvent.safeParse(event.data) : null
    if (!told?.success) return
    if (!isListed(client, told.data)) client.invalidateQueries({ queryKey: accountsKey })
    changeAll(client, withFigures(new Map(told.data.accounts.map((account) => [account._id, account]))))
  }
  const fade = () => {
    clearTimeout(fading)
    fading = setTimeout(() => changeAll(client, asOf(heardAt)), Math.max(0, heardAt + liveForMs - Date.now()))
  }
  const letGo = () => {
    clearTimeout(again)
    if (line) heardAt = Date.now()
    line?.abort()
    line = null
    fade()
  }
  const connect = async () => {
    if (document.hidden || line) return
    const own = new AbortController()
    line = own
    clearTimeout(again)
    clearTimeout(fading)
    const ending: Ending = { error: null, ended: null }
    const onEvent = (event: ToldEvent) => {
      if (event.name === 'end') ending.ended = endEvent.safeParse(event.data).data?.code ?? null
      else hear(event)
    }
    try {
      await followEvents(watchFigures.path, { signal: own.signal, onEvent })
    } catch (thrown) {
      ending.error = thrown
    }
    if (own.signal.aborted) return
    line = null
    fade()
    again = setTimeout(connect, pauseAfter(failures, ending))
    failures += 1
  }
  const look = () => (document.hidden ? letGo() : connect())
  document.addEventListener('visibilitychange', look)
  addEventListener('online', look)
  connect()
  return () => {
    document.removeEventListener('visibilitychange', look)
    removeEventListener('online', look)
    letGo()
    clearTimeout(fading)
  }
}
