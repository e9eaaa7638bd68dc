const key = 'atrium.opening-watched'

/** The id of the opening that this tab watches, since it may end during a reload. The server shows an opening only to its owner. */
export function rememberWatched(openingId: string | null): void {
  try {
    if (openingId === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, openingId)
  } catch {
    // Without storage, the list of accounts still shows the new account.
  }
}

export function watchedBefore(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
