import type { SessionStore, StoredSession } from '../../api/session-store.ts'

/**
 * The tabs of one browser share a member's session: a new one asks, and a signed-in one hands over what it keeps. The token
 * passes between pages of this origin only, on a channel that nobody listens to but the tab that asked, and is stored nowhere
 * but in the session storage of both.
 */
export const channelName = 'atrium.portal.tabs'

/** A word between tabs: one asks for the session of a member, or says that this member has signed out. */
export type Word = { kind: 'ask'; userId: string; nonce: string } | { kind: 'left'; userId: string }

export function say(channel: string, word: Word | StoredSession): void {
  const line = new BroadcastChannel(channel)
  line.postMessage(word)
  line.close()
}

/** Whoever signs out does so in every tab. */
export function announceLogout(session: SessionStore): void {
  const userId = session.read()?.userId
  if (userId !== undefined && typeof BroadcastChannel !== 'undefined') say(channelName, { kind: 'left', userId })
}
