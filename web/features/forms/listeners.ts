export type Listeners = { add(listener: () => void): () => void; notify(): void }

/** Those who follow a store. `add` returns a function that removes the listener. */
export function makeListeners(): Listeners {
  const all = new Set<() => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => {
        all.delete(listener)
      }
    },
    notify() {
      for (const listener of all) listener()
    },
  }
}
