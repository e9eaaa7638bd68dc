import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { fetchAnswer } from '../../api/transport.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { useSecondsLeft } from './clock.ts'

const hourMs = 3_600_000
let left = 0
const { show, close } = hookUnderTest(useSecondsLeft, (seconds) => (left = seconds))

/** Receives an answer of the server on a device whose clock differs from the server's. Without a difference it says no time. */
async function receive({ fastByMs }: { fastByMs: number }): Promise<void> {
  const date = new Date(Date.now() - fastByMs).toUTCString()
  const closePage = openPage(async () => Response.json({}, { headers: fastByMs === 0 ? {} : { date } }))
  await fetchAnswer({ method: 'GET', path: '/members/deposits/payment' })
  closePage()
}

afterEach(async () => {
  close()
  await receive({ fastByMs: 0 })
})

for (const [device, fastByMs] of [
  ['fast', 3 * hourMs],
  ['slow', -3 * hourMs],
] as const)
  it(`counts down by the time of the server on a device whose clock is ${device}`, async () => {
    await receive({ fastByMs })
    show(Date.now() - fastByMs + hourMs)
    assert.ok(left > 3_000 && left <= 3_602, `${left} seconds`)
    close()
    show(Date.now() - fastByMs - hourMs)
    assert.equal(left, 0)
  })

it('counts down by the device while no answer has said its time', () => {
  show(Date.now() + hourMs)
  assert.ok(left > 3_000 && left <= 3_600, `${left} seconds`)
})
