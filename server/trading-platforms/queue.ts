import type { Timekeeper } from '../foundation/timekeeper.ts'
import { asPartOfThis } from '../observability/under-way.ts'
import { GatewayError } from './contract.ts'

export type Job<Result> = {
  /** Money goes before reads. */
  urgent: boolean
  deadlineAt: number
  run(signal: AbortSignal): Promise<Result>
}

type Entry = { urgent: boolean; start(): Promise<void>; refuse(error: GatewayError): void }

/**
 * So many calls at a time, money first. One at a time where the session is the socket: answers come back in order, and a
 * sign-in must not be overtaken.
 */
export function openQueue(time: Timekeeper, { atOnce = 1 }: { atOnce?: number } = {}) {
  const waiting: Entry[] = []
  const running = new Set<AbortController>()
  let lanes = 0

  const work = async () => {
    if (lanes >= atOnce) return
    lanes += 1
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.start()
    lanes -= 1
  }

  const add = <Result>(job: Job<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const controller = new AbortController()
      // Called by whoever was in the queue before it.
      const run = asPartOfThis(job.run)
      const entry: Entry = {
        urgent: job.urgent,
        refuse: (error) => {
          cancelDeadline()
          reject(error)
        },
        start: async () => {
          running.add(controller)
          await run(controller.signal).then(resolve, reject)
          running.delete(controller)
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
    idle: () => lanes === 0,
    /** Refuses what waits and cuts off what runs. */
    stop: (error: GatewayError) => {
      for (const entry of waiting.splice(0)) entry.refuse(error)
      for (const controller of running) controller.abort()
    },
  }
}
