import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * What is under way: a request, a job, or a round through a workspace. Every line of the log that is written meanwhile carries
 * it (log.ts), so these are ids that say nothing to whoever has the log alone. A job has the request that led to it.
 */
export type UnderWay = {
  reqId?: string
  workspace?: string
  member?: string
  staff?: string
  queue?: string
  job?: string
}

const storage = new AsyncLocalStorage<UnderWay>()
const start = AsyncLocalStorage.snapshot()

export const underWay = (): UnderWay | undefined => storage.getStore()

export function during<Result>(what: UnderWay, work: () => Result): Result {
  return storage.run(what, work)
}

/** What goes on for everybody is not part of whatever happened to begin it. */
export function apart<Result>(work: () => Result): Result {
  return start(work)
}
