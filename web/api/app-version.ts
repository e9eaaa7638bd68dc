import { useSyncExternalStore } from 'react'
import { report } from './log.ts'

/** The build that served this page, and the newest build that an answer named. */
let first: string | null = null
let latest: string | null = null
const listeners = new Set<() => void>()

export function recordVersion(header: string | null): void {
  if (header === null || header === latest) return
  if (latest !== null) report('app-version.changed', { from: latest, to: header })
  first ??= header
  latest = header
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** True when the server runs a newer build than this page. */
export function useNewVersion(): boolean {
  return useSyncExternalStore(subscribe, () => first !== latest)
}
