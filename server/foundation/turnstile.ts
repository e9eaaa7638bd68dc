import { texts } from '@atrium/contract/texts.ts'
import { refuse } from './errors.ts'

type Line = { waitingMax?: number; retryAfterSeconds?: number }

/** Lets so many through at once; the others wait in line, and who comes when the line is full is asked to come again. */
export function makeTurnstile(placesMax: number, { waitingMax = Number.POSITIVE_INFINITY, ...line }: Line = {}) {
  const waiting: (() => void)[] = []
  let inside = 0

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside < placesMax) inside += 1
    else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else refuse('unavailable', texts.requestFailed, { retryAfterSeconds: line.retryAfterSeconds ?? 2 })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed on: nobody who comes now can slip in between.
      if (next) next()
      else inside -= 1
    }
  }
}
