import { limits } from '@atrium/contract/limits.ts'
import { useSyncExternalStore } from 'react'

/** How many requests have been under way for longer than the loader's delay: the thin bar shows while any is. */
let slow = 0
const listeners = new Set<() => void>()

function change(by: number): void {
  slow += by
  for (const listener of listeners) listener()
}

/** Returns what to do when the request is over. */
export function watchRequest(): () => void {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    change(1)
  }, limits.loaderDelayMs)
  return () => {
    clearTimeout(timer)
    if (isSlow) change(-1)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSlowRequests(): boolean {
  return useSyncExternalStore(subscribe, () => slow > 0)
}
