const key = 'atrium.deposit-order'

/** The order that was started last, for a return that does not name one. An id only: what it is, the server tells its owner. */
export function rememberOrder(order: string): void {
  try {
    localStorage.setItem(key, order)
  } catch {
    // A browser that keeps nothing: the return names the order in its address.
  }
}

export function lastOrder(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
