import type { Context } from '../foundation/context.ts'
import { startRounds } from '../foundation/repeating.ts'

const checkEveryMs = 10_000
/** A time service that corrects the clock steadily moves it by far less between two checks. */
const jumpMs = 5_000

type Times = { now(): number; steady(): number }
const machine: Times = { now: () => Date.now(), steady: () => performance.now() }

/** Returns how far the clock was set back since the last call, in milliseconds; 0 for other changes. */
export function openClockWatch({ now, steady }: Times = machine): () => number {
  let last = { now: now(), steady: steady() }
  return () => {
    const next = { now: now(), steady: steady() }
    const setBackMs = next.steady - last.steady - (next.now - last.now)
    last = next
    return setBackMs > jumpMs ? setBackMs : 0
  }
}

/**
 * Says in the log that this machine's clock was set back: moments that are stored in the database then lie ahead, so work
 * that was due soon waits that much longer, and nothing else shows why.
 */
export function startWatchingClock({ log }: Pick<Context, 'log'>): () => void {
  const setBack = openClockWatch()
  return startRounds(checkEveryMs, async () => {
    const ms = setBack()
    if (ms > 0)
      log.error(
        { seconds: Math.round(ms / 1_000) },
        'the clock of this machine was set back: check its time service; work that was due waits that much longer',
      )
  })
}
