import type { SessionStore } from '../../api/session-store.ts'
import type { UnsentEntry, UnsentInputStore } from '../../ui/lists/unsent-input.tsx'

/**
 * Form input at the end of a session, in this page's memory only. It is returned only to its author, and signing out
 * discards it.
 */
export function createUnsentInputStore(session: Pick<SessionStore, 'read' | 'endedOf'>) {
  let owner = ''
  let entries = new Map<string, UnsentEntry>()
  const forget = () => {
    owner = ''
    entries = new Map()
  }
  return {
    keep(form, entry) {
      const userId = session.endedOf()
      if (userId === '') return
      if (owner !== userId) forget()
      owner = userId
      entries.set(form, entry)
    },
    find(form) {
      if (session.read()?.userId !== owner) forget()
      const entry = entries.get(form)
      return entry?.mayBeDone?.() ? undefined : entry?.values
    },
    drop: (form) => {
      entries.delete(form)
    },
    forget,
  } satisfies UnsentInputStore & { forget: () => void }
}
