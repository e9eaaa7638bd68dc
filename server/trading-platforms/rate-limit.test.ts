import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fakeTime } from '../../tests/fixtures/trading/trading-platforms.ts'
import { openRateLimit } from './rate-limit.ts'

const hourMs = 3_600_000

for (const [what, holdMs, pauseMs] of [
  ['its pace', 0, 1_000],
  ['the pause that the platform asked for', 7_000, 7_000],
] as const) {
  test(`when the clock is set back, a call waits no longer than ${what}`, async () => {
    const time = fakeTime(Date.parse('2026-07-14T09:30:00Z'))
    const { wait, hold } = openRateLimit(1, time)
    const { signal } = new AbortController()
    await wait(signal)
    hold(holdMs)
    time.sleep(-2 * hourMs)
    let isOver = false
    const waiting = wait(signal).then(() => {
      isOver = true
    })
    time.advance(pauseMs - 1)
    await nextTurn()
    assert.equal(isOver, false)
    time.advance(1)
    await waiting
  })
}
