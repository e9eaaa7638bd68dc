import { report } from './log.ts'

/** Starts what comes after the first load, unless whoever wanted it is gone by then. Answers how to stop. */
export function startLater(fetchStart: () => Promise<() => () => void>): () => void {
  let stop: (() => void) | undefined
  let isGone = false
  fetchStart().then(
    (start) => {
      if (!isGone) stop = start()
    },
    (error: unknown) => report('part.missing', { error: String(error) }),
  )
  return () => {
    isGone = true
    stop?.()
  }
}
