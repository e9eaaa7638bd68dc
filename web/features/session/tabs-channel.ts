import type { SessionStore, StoredSession } from '../../api/session-store.ts'

/**
 * The tabs of one browser share a member's session: a new tab asks for it, and a signed-in tab sends its own. The token stays within
 * this origin, on a channel that only the asking tab listens to, and is stored only in the session storage of both.
 */
export const channelName = 'atrium.portal.tabs'

/** A message between tabs: asks for the session of a member, or announces that the member has signed out. */
export type TabMessage = { kind: 'ask'; userId: string; nonce: string } | { kind: 'left'; userId: string }

export function post(channel: string, message: TabMessage | StoredSession): void {
  const sender = new BroadcastChannel(channel)
  sender.postMessage(message)
  sender.close()
}

/** Signs the member out in every tab. */
export function announceLogout(session: SessionStore): void {
  const userId = session.read()?.userId
  if (userId !== undefined && typeof BroadcastChannel !== 'undefined') post(channelName, { kind: 'left', userId })
}
