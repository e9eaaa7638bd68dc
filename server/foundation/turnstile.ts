import { texts } from '@atrium/contract/texts.ts'
import { refuse } from './errors.ts'

/** `patience`: how long anybody waits, and what is thrown then. */
type Line = { waitingMax?: number; patience?: { ms: number; over: () => Error }; retryAfterSeconds?: number }

export type Turnstile = {
  <Result>(work: () => Promise<Result>, whose?: string): Promise<Result>
  /** How many wait, in all lines. */
  waitingCount(): number
}

/**
 * Lets so many through at once; the others wait in line, and who comes when the line is full is asked to come again. Each
 * brokerage (`whose`) has a line of its own, and they take turns: however many come to one, another's wait behind their own.
 */
export function makeTurnstile(placesMax: number, options: Line = {}): Turnstile {
  const { waitingMax = Number.POSITIVE_INFINITY, patience, retryAfterSeconds = 2 } = options
  const lines = new Map<string, Set<() => void>>()
  let inside = 0

  function takeNext(): (() => void) | undefined {
    for (const [whose, line] of lines) {
      lines.delete(whose)
      const [next] = line
      if (!next) continue
      line.delete(next)
      if (line.size > 0) lines.set(whose, line) // Behind everybody else's.
      return next
    }
    return undefined
  }

  function wait(whose: string): Promise<void> {
    const line = lines.get(whose) ?? new Set()
    if (line.size >= waitingMax) refuse('unavailable', texts.requestFailed, { retryAfterSeconds })
    lines.set(whose, line)
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        line.delete(enter)
        reject(patience?.over())
      }
      const timer = patience && setTimeout(giveUp, patience.ms)
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      line.add(enter)
    })
  }

  const enter = async <Result>(work: () => Promise<Result>, whose = ''): Promise<Result> => {
    if (inside < placesMax) inside += 1
    else await wait(whose)
    try {
      return await work()
    } finally {
      const next = takeNext()
      // The place is handed on: nobody who comes now can slip in between.
      if (next) next()
      else inside -= 1
    }
  }
  const waitingCount = () => [...lines.values()].reduce((sum, line) => sum + line.size, 0)
  return Object.assign(enter, { waitingCount })
}
