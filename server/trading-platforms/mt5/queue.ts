import { GatewayError } from '../contract.ts'
import type { Timekeeper } from '../surroundings.ts'

export type Job<Result> = {
  /** Money goes before reads. */
  urgent: boolean
  deadlineAt: number
  run(signal: AbortSignal): Promise<Result>
}

type Entry = { urgent: boolean; start(): Promise<void>; refuse(error: GatewayError): void }

/** One call at a time: answers come back in order, and a sign-in must not be overtaken. */
export function openQueue(time: Timekeeper) {
  const waiting: Entry[] = []
  let abortCurrent: (() => void) | undefined
  let busy = false

  const work = async () => {
    if (busy) return
    busy = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.start()
    busy = false
  }

  const add = <Result>(job: Job<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const controller = new AbortController()
      const entry: Entry = {
        urgent: job.urgent,
        refuse: (error) => {
          cancelDeadline()
          reject(error)
        },
        start: async () => {
          abortCurrent = () => controller.abort()
          await job.run(controller.signal).then(resolve, reject)
          abortCurrent = undefined
          cancelDeadline()
        },
      }
      const cancelDeadline = time.after(Math.max(0, job.deadlineAt - time.now()), () => {
        controller.abort()
        const place = waiting.indexOf(entry)
        if (place === -1) return
        waiting.splice(place, 1)
        entry.refuse(new GatewayError({ outcome: 'not_executed', reason: 'timeout', sent: false }))
      })
      const firstOrdinary = job.urgent ? waiting.findIndex((other) => !other.urgent) : -1
      waiting.splice(firstOrdinary === -1 ? waiting.length : firstOrdinary, 0, entry)
      void work()
    })

  return {
    add,
    idle: () => !busy,
    /** Refuses what waits and cuts off what runs. */
    stop: (error: GatewayError) => {
      for (const entry of waiting.splice(0)) entry.refuse(error)
      abortCurrent?.()
    },
  }
}
