export type SharedCalls = <Answer>(key: string, call: () => Promise<Answer>) => Promise<Answer>

/**
 * Runs one call per key at a time. Callers during a running call share the next one, so their answer is newer than
 * their request: many concurrent requests make two calls at most.
 */
export function openSharedCalls(): SharedCalls {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<unknown>>()

  function start<Answer>(key: string, call: () => Promise<Answer>): Promise<Answer> {
    const started = call()
    running.set(key, started)
    const end = (): void => {
      if (running.get(key) === started) running.delete(key)
    }
    started.then(end, end)
    return started
  }

  return (key, call) => {
    const waiting = next.get(key)
    if (waiting) return waiting as ReturnType<typeof call>
    const before = running.get(key)
    if (!before) return start(key, call)
    const go = () => {
      next.delete(key)
      return start(key, call)
    }
    const after = before.then(go, go)
    next.set(key, after)
    return after
  }
}
