import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { replaceGlobals } from '../../tests/fixtures/page-element.ts'
import { firstPauseMs, longestPauseMs, startLater } from './start-later.ts'

const listeners = new Set<() => void>()
const browser = { onLine: true }
let restoreGlobals: () => void
/** How the attempts end, in order; the last counts for all further ones. */
let endings: ('fails' | 'starts')[] = []
let attempts = 0
const seen: string[] = []

async function fetchStart() {
  attempts++
  const ending = endings.length > 1 ? endings.shift() : endings[0]
  if (ending === 'fails') throw new TypeError('Failed to fetch dynamically imported module')
  return () => {
    seen.push('started')
    return () => void seen.push('stopped')
  }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
async function comeOnline() {
  browser.onLine = true
  for (const listener of [...listeners]) listener()
  await settled()
}
async function pass(ms: number) {
  mock.timers.tick(ms)
  await settled()
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  restoreGlobals = replaceGlobals({
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    navigator: browser,
  })
  listeners.clear()
  seen.length = 0
  attempts = 0
  browser.onLine = true
})
afterEach(() => {
  mock.timers.reset()
  restoreGlobals()
})

it('starts once, and stops when it is no longer wanted', async () => {
  endings = ['starts']
  const stop = startLater(fetchStart)
  await pass(longestPauseMs)
  await comeOnline()
  assert.deepEqual([seen, attempts], [['started'], 1])
  stop()
  assert.deepEqual(seen, ['started', 'stopped'])
})

it('starts nothing if it was stopped before the code arrived', async () => {
  endings = ['starts']
  startLater(fetchStart)()
  await settled()
  assert.deepEqual(seen, [])
})

it('retries after pauses that grow up to a limit', async () => {
  endings = ['fails']
  const stop = startLater(fetchStart)
  await settled()
  for (let pauseMs = firstPauseMs, count = 1; count < 8; pauseMs = Math.min(pauseMs * 2, longestPauseMs), count++) {
    await pass(pauseMs - 1)
    assert.equal(attempts, count)
    await pass(1)
    assert.equal(attempts, count + 1)
  }
  endings = ['starts']
  await pass(longestPauseMs)
  assert.deepEqual(seen, ['started'])
  stop()
})

it('retries immediately when the network is back, and not again after the pause', async () => {
  endings = ['fails', 'starts']
  const stop = startLater(fetchStart)
  await settled()
  await comeOnline()
  await pass(longestPauseMs)
  assert.deepEqual([seen, attempts, listeners.size], [['started'], 2, 0])
  stop()
})

it('does not retry without a network', async () => {
  browser.onLine = false
  endings = ['starts']
  const stop = startLater(fetchStart)
  await pass(firstPauseMs)
  assert.equal(attempts, 0)
  await comeOnline()
  assert.deepEqual(seen, ['started'])
  stop()
})

it('does not retry once stopped', async () => {
  endings = ['fails']
  const stop = startLater(fetchStart)
  await settled()
  stop()
  await comeOnline()
  await pass(longestPauseMs)
  assert.deepEqual([attempts, listeners.size], [1, 0])

  const stopEarly = startLater(fetchStart)
  stopEarly()
  await settled()
  await pass(longestPauseMs)
  assert.deepEqual([attempts, listeners.size], [2, 0])
})
