export type SharedCalls = <Answer>(key: string, call: () => Promise<Answer>) => Promise<Answer>

/**
 * Runs `atOnce` calls per key at a time. Callers while so many run share the next one, so their answer is newer than
 * their request, and many concurrent requests make few calls.
 */
export function openSharedCalls(atOnce = 1): SharedCalls {
  const running = new Map<string, Set<Promise<unknown>>>()
  const next = new Map<string, Promise<unknown>>()

  function start<Answer>(key: string, call: () => Promise<Answer>): Promise<Answer> {
    const started = call()
    const all = running.get(key) ?? new Set()
    running.set(key, all.add(started))
    const end = (): void => {
      all.delete(started)
      if (all.size === 0) running.delete(key)
    }
    started.then(end, end)
    return started
  }

  return (key, call) => {
    const waiting = next.get(key)
    if (waiting) return waiting as ReturnType<typeof call>
    const before = running.get(key)
    if (!before || before.size < atOnce) return start(key, call)
    const go = () => {
      next.delete(key)
      return start(key, call)
    }
    const after = Promise.race(before).then(go, go)
    next.set(key, after)
    return after
  }
}
