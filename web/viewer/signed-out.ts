const listeners = new Set<() => void>()
let isOut = false

/** The session ended while the form was open. */
export const signedOut = {
  announce(): void {
    isOut = true
    for (const listener of listeners) listener()
  },
  isOut: (): boolean => isOut,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
