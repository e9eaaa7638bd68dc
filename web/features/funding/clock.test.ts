import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { fetchAnswer } from '../../api/transport.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { relativeTime, timeOrDay } from '../../ui/text/format.ts'
import { useSecondsLeft } from './clock.ts'

const hourMs = 3_600_000
let left = 0
const { show, close } = hookUnderTest(useSecondsLeft, (seconds) => (left = seconds))

/** Receives answers of the server at these differences of its clock from the device's; null: one that says no time. */
async function receive(...aheadMs: (number | null)[]): Promise<void> {
  const answers = aheadMs.values()
  const closePage = openPage(async () => {
    const ahead = answers.next().value ?? null
    return Response.json({}, { headers: ahead === null ? {} : { date: new Date(Date.now() + ahead).toUTCString() } })
  })
  for (const _ of aheadMs) await fetchAnswer({ method: 'GET', path: '/members/deposits/payment' })
  closePage()
}

afterEach(async () => {
  close()
  await receive(null)
})

for (const [device, aheadMs] of [
  ['fast', -3 * hourMs],
  ['slow', 3 * hourMs],
] as const)
  it(`counts down by the time of the server on a device whose clock is ${device}`, async () => {
    await receive(aheadMs)
    show(Date.now() + aheadMs + hourMs)
    assert.ok(left > 3_000 && left <= 3_602, `${left} seconds`)
    close()
    show(Date.now() + aheadMs - hourMs)
    assert.equal(left, 0)
  })

it('takes no answer that was long under way, and none without a time, for a change of the clock', async () => {
  await receive(0, -2 * hourMs, null)
  show(Date.now() + hourMs)
  assert.ok(left > 3_000 && left <= 3_602, `${left} seconds`)
})

it('counts down by the device while no answer has said its time', () => {
  show(Date.now() + hourMs)
  assert.ok(left > 3_000 && left <= 3_600, `${left} seconds`)
})

it('says how long ago something was, and whether it was today, by the time of the server', async () => {
  await receive(-30 * hourMs)
  const now = Date.now() - 30 * hourMs
  assert.equal(relativeTime(now - 5.5 * 60_000, undefined, 'en'), '5 minutes ago')
  assert.equal(timeOrDay(now), timeOrDay(now, now))
})
