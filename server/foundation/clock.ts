/** The clock is passed in, so that tests can move the time. */
export type Clock = { now(): Date }

type Sources = { wallMs: () => number; elapsedMs: () => number }

/**
 * A clock that never goes back while the program runs: when the system time is set back, it continues at the rate of
 * real time. Expired items stay expired, and no age is negative.
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
