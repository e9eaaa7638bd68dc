import { useEffect, useState } from 'react'

/** The open dialogs in the order of their opening. */
const opened: object[] = []

/**
 * Tells whether a dialog is the one that was opened last. Every dialog listens for Escape itself, so of those that lie
 * above each other only the top one may close: what is typed below stays.
 */
export function useTopDialog(isOpen: boolean): () => boolean {
  const [id] = useState(() => ({}))
  useEffect(() => {
    if (!isOpen) return
    opened.push(id)
    return () => {
      // After the current key press: the dialog below must not take the Escape that closed this one.
      setTimeout(() => opened.splice(opened.indexOf(id), 1))
    }
  }, [isOpen, id])
  return () => opened.at(-1) === id
}
