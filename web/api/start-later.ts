import { report } from './log.ts'

export const firstPauseMs = 5_000
export const longestPauseMs = 60_000

/**
 * Starts what comes after the first load, unless whoever wanted it is gone by then. It tries until the code is here: after a
 * pause, and at once when the network is back. Answers how to stop.
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
    // Some browsers keep the failure of a module for as long as the page is open, so none is caused without a network.
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
