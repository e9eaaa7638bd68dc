export type Recent<Value> = {
  find(key: string): Value | undefined
  keep(key: string, value: Value): void
  forget(key: string): void
}

/** A least recently used cache of bounded size. */
export function keepRecent<Value>(max: number): Recent<Value> {
  const known = new Map<string, Value>()
  const put = (key: string, value: Value): void => {
    known.delete(key)
    known.set(key, value)
  }
  return {
    find(key) {
      const value = known.get(key)
      if (value !== undefined) put(key, value)
      return value
    },
    keep(key, value) {
      put(key, value)
      const oldest = known.keys().next()
      if (known.size > max && !oldest.done) known.delete(oldest.value)
    },
    forget: (key) => void known.delete(key),
  }
}
