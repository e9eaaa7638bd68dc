/** Time is passed in, so that tests can move it. */
export type Clock = { now(): Date }

type Sources = { wallMs: () => number; elapsedMs: () => number }

/**
 * A clock that never goes back while the program runs: set back by somebody or something, it goes on from where it was, at
 * the pace of what has truly passed. What expired stays expired, and an age never becomes negative.
 */
export function steadyClock({ wallMs, elapsedMs }: Sources): Clock {
  let latest = wallMs()
  let readAt = elapsedMs()
  return {
    now() {
      const elapsed = elapsedMs()
      latest = Math.max(wallMs(), latest + elapsed - readAt)
      readAt = elapsed
      return new Date(Math.floor(latest))
    },
  }
}

export const systemClock: Clock = steadyClock({ wallMs: Date.now, elapsedMs: () => performance.now() })
