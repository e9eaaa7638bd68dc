import type { AccountKind } from '@atrium/contract/openings/states.ts'

/** Live and demo accounts have a page each, and both may have an opening under way. */
const keyOf = (kind: AccountKind) => `atrium.opening-watched.${kind}`

/** The id of the opening that this tab watches, since it may end during a reload. The server shows an opening only to its owner. */
export function rememberWatched(kind: AccountKind, openingId: string | null): void {
  try {
    if (openingId === null) sessionStorage.removeItem(keyOf(kind))
    else sessionStorage.setItem(keyOf(kind), openingId)
  } catch {
    // Without storage, the list of accounts still shows the new account.
  }
}

export function watchedBefore(kind: AccountKind): string | null {
  try {
    return sessionStorage.getItem(keyOf(kind))
  } catch {
    return null
  }
}
