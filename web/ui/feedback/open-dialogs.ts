import { useEffect, useState, useSyncExternalStore } from 'react'

/** The open dialogs in the order of their opening. */
let opened: readonly symbol[] = []
const listeners = new Set<() => void>()

function set(next: readonly symbol[]): void {
  opened = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Whether a dialog is the one that was opened last. Every dialog listens for Escape itself, so of those that lie above
 * each other only the top one may close: what is typed below stays.
 */
export function useIsTopDialog(isOpen: boolean): boolean {
  const [id] = useState(() => Symbol('dialog'))
  useEffect(() => {
    if (!isOpen) return
    set([...opened, id])
    return () => {
      // After the current key press: the dialog below must not take the Escape that closed this one.
      setTimeout(() => set(opened.filter((each) => each !== id)))
    }
  }, [isOpen, id])
  return useSyncExternalStore(subscribe, () => opened.at(-1) === id || !opened.includes(id))
}
