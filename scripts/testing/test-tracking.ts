import asyncHooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks'

const { createHook, executionAsyncId } = asyncHooks
const tracking: AsyncHook[] = []
/** The suite of the file whose tests run; null while a file loads. */
let suite: number | null = null
/** `node:test` is about to ask which test an uncaught error belongs to. */
let isUncaught = false
let wasUncaught = false

/** Whether an error of this process belonged to no test: what it left open could disturb the next file. */
export const hadUncaughtError = (): boolean => wasUncaught

/**
 * `node:test` follows every promise to know which test a statement belongs to, which takes a fifth of a worker's CPU time. Here it
 * does so only while a file loads and registers its tests; an uncaught error that comes later fails the file's suite.
 */
export async function importTestRunner() {
  Object.assign(asyncHooks, { createHook: noteHook, executionAsyncId: idOfTest })
  try {
    return await import('node:test')
  } finally {
    Object.assign(asyncHooks, { createHook, executionAsyncId })
  }
}

function noteHook(callbacks: HookCallbacks): AsyncHook {
  const hook = createHook(callbacks)
  tracking.push(hook)
  return hook
}

/** The test or suite that a new test or an uncaught error belongs to. */
function idOfTest(): number {
  const isAskedForError = isUncaught
  isUncaught = false
  if (suite === null) return executionAsyncId()
  if (!isAskedForError) throw new Error('Tests and hooks are registered while a file loads; in a test use its context')
  return suite
}

// Before the listeners of `node:test`.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, () => {
    isUncaught = true
    wasUncaught = true
  })

/** Before the suite of a file is made. */
export function track(): void {
  isUncaught = false
  suite = null
  for (const hook of tracking) hook.enable()
}

/** Called by the suite: loads its file, which registers the tests. */
export async function whileTracking(load: () => Promise<unknown>): Promise<void> {
  const own = executionAsyncId()
  try {
    await load()
  } finally {
    suite = own
    for (const hook of tracking) hook.disable()
  }
}
