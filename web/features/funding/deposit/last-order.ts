const key = 'atrium.deposit-order'

/** The id of the order started last, for a return without one. The server shows an order only to its owner. */
export function rememberOrder(order: string): void {
  try {
    localStorage.setItem(key, order)
  } catch {
    // Without storage, the return address names the order.
  }
}

export function lastOrder(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
