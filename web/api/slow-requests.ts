import { limits } from '@atrium/contract/limits.ts'
import { useSyncExternalStore } from 'react'

/** The number of requests that have taken longer than the loader's delay; the thin bar shows while it is above 0. */
let slow = 0
const listeners = new Set<() => void>()

function change(by: number): void {
  slow += by
  for (const listener of listeners) listener()
}

/** Returns a function to call when the request ends. */
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
