import { report } from './log.ts'

export const firstPauseMs = 5_000
export const longestPauseMs = 60_000

/**
 * Starts code outside the first load, unless it is stopped before the code arrives; retries after a pause, and
 * immediately when the network returns. Returns the stop function.
 */
export function startLater(fetchStart: () => Promise<() => () => void>): () => void {
  let stop: (() => void) | undefined
  let isGone = false
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    clearTimeout(timer)
    removeEventListener('online', attempt)
  }
  const tryLater = () => {
    addEventListener('online', attempt)
    timer = setTimeout(attempt, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  function attempt(): void {
    rest()
    // Some browsers cache a failed import while the page is open, so no import starts while offline.
    if (!navigator.onLine) tryLater()
    else
      fetchStart().then(
        (start) => {
          if (!isGone) stop = start()
        },
        (error: unknown) => {
          report('part.missing', { error: String(error) })
          if (!isGone) tryLater()
        },
      )
  }
  attempt()
  return () => {
    isGone = true
    rest()
    stop?.()
  }
}
