import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The current request, job or sweep of a workspace; every log line written meanwhile carries it (log.ts), so it
 * contains only ids. A job has the id of the request that enqueued it.
 */
export type LogContext = {
  reqId?: string
  workspace?: string
  member?: string
  staff?: string
  queue?: string
  job?: string
}

const storage = new AsyncLocalStorage<LogContext>()
const start = AsyncLocalStorage.snapshot()

export const logContext = (): LogContext | undefined => storage.getStore()

export function withLogContext<Result>(what: LogContext, work: () => Result): Result {
  return storage.run(what, work)
}

/** Runs work outside of the current context, for shared work that a request happens to start. */
export function withoutLogContext<Result>(work: () => Result): Result {
  return start(work)
}
