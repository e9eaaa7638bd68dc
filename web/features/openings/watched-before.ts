const key = 'atrium.opening-watched'

/** Which opening this tab was watching: it may end while the page is loaded anew. An id only; what it is, the server tells its owner. */
export function rememberWatched(openingId: string | null): void {
  try {
    if (openingId === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, openingId)
  } catch {
    // A browser that keeps nothing: what was opened stands in the list of accounts.
  }
}

export function watchedBefore(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
