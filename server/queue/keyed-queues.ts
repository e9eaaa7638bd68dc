import { type ConcurrencyLimiter, makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'

/**
 * One queue per platform or payment provider, with limited concurrency and a queue. A hanging one fills its own queue
 * only, and blocks no worker of the job queue.
 */
export type KeyedQueues = {
  /** Settles with the task. Joins a waiting task with the same key; runs after a running one. */
  run(queue: string, key: string, work: () => Promise<void>): Promise<void>
  /** Accepts no more tasks, drops waiting ones, and settles when running ones have ended. */
  stop(): Promise<void>
}

type Tasks = Map<string, Promise<void>>
type KeyedQueue = { concurrencyLimiter: ConcurrencyLimiter; waiting: Tasks; running: Tasks }

/** Tasks over the limit are dropped; the sweep schedules overdue ones again. */
const waitingMax = 500

export function openKeyedQueues({ atOnce = 4 }: { atOnce?: number } = {}): KeyedQueues {
  const queues = new Map<string, KeyedQueue>()
  const stopping = new AbortController()
  const { signal } = stopping

  /** Waits for a running task with the same key first, without taking a slot. */
  async function enter(
    { concurrencyLimiter, waiting, running }: KeyedQueue,
    key: string,
    work: () => Promise<void>,
  ): Promise<void> {
    const before = running.get(key)
    if (before) await before
    if (signal.aborted) return
    let isBegun = false
    const run = async (): Promise<void> => {
      isBegun = true
      waiting.delete(key)
      const task = work()
      // The caller gets the error; the next task only waits for the end.
      running.set(
        key,
        task.catch(() => undefined),
      )
      await task.finally(() => running.delete(key))
    }
    await concurrencyLimiter(run, { signal }).catch((problem) => {
      if (isBegun) throw problem
    })
  }

  return {
    run(name, key, work) {
      const queue = queues.get(name) ?? {
        concurrencyLimiter: makeConcurrencyLimiter(atOnce),
        waiting: new Map(),
        running: new Map(),
      }
      const already = queue.waiting.get(key)
      if (already) return already
      if (signal.aborted || queue.waiting.size >= waitingMax) return Promise.resolve()
      queues.set(name, queue)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      queue.waiting.set(key, promise)
      const leave = (): void => {
        if (queue.waiting.size === 0 && queue.concurrencyLimiter.isIdle()) queues.delete(name)
      }
      void enter(queue, key, work).then(resolve, reject).finally(leave)
      return promise
    },
    async stop() {
      stopping.abort()
      await Promise.all([...queues.values()].flatMap(({ running }) => [...running.values()]))
    },
  }
}
