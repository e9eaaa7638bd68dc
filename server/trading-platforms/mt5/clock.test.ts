import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platformClock, roundedOffset } from './clock.ts'

const at = (text: string) => Date.parse(text) / 1000
const athens = platformClock({ timeZone: 'Europe/Athens', shiftMinutes: 0 })

test('converts winter and summer times with their own offsets', () => {
  assert.equal(athens.toUtc(at('2026-01-15T12:00:00Z')), at('2026-01-15T10:00:00Z'))
  assert.equal(athens.toUtc(at('2026-07-15T12:00:00Z')), at('2026-07-15T09:00:00Z'))
  assert.equal(athens.toPlatform(at('2026-01-15T10:00:00Z')), at('2026-01-15T12:00:00Z'))
  assert.equal(athens.toPlatform(at('2026-07-15T09:00:00Z')), at('2026-07-15T12:00:00Z'))
})

test('uses the earlier reading of the repeated hour, and the previous offset in the skipped hour', () => {
  assert.equal(athens.toUtc(at('2026-10-25T03:30:00Z')), at('2026-10-25T00:30:00Z'))
  assert.equal(athens.toUtc(at('2026-10-25T04:00:00Z')), at('2026-10-25T02:00:00Z'))
  assert.equal(athens.toUtc(at('2026-03-29T03:30:00Z')), at('2026-03-29T01:30:00Z'))
  assert.equal(athens.toUtc(at('2026-03-29T04:00:00Z')), at('2026-03-29T01:00:00Z'))
})

test('round-trips in every zone, outside the repeated hour', () => {
  const zones = ['Etc/GMT+12', 'America/New_York', 'UTC', 'Europe/Athens', 'Asia/Kolkata', 'Pacific/Kiritimati']
  for (const timeZone of zones) {
    const clock = platformClock({ timeZone, shiftMinutes: 0 })
    for (let utc = at('2026-01-01T00:07:11Z'); utc < at('2027-01-01T00:00:00Z'); utc += 7 * 3600 + 13) {
      const back = clock.toUtc(clock.toPlatform(utc))
      const repeated = clock.offsetAt(utc) < clock.offsetAt(utc - 3600)
      assert.equal(back, repeated ? utc - 3600 : utc, `${timeZone} ${utc}`)
    }
  }
})

test('New York plus seven hours changes on the American dates', () => {
  const broker = platformClock({ timeZone: 'America/New_York', shiftMinutes: 420 })
  assert.equal(broker.offsetAt(at('2026-03-07T12:00:00Z')), 2 * 3600)
  assert.equal(broker.offsetAt(at('2026-03-09T12:00:00Z')), 3 * 3600)
  assert.equal(athens.offsetAt(at('2026-03-09T12:00:00Z')), 2 * 3600)
})

test('rounds a measured difference to quarter hours', () => {
  assert.equal(roundedOffset(7201, 0), 7200)
  assert.equal(roundedOffset(20_100, 0), 19_800)
  assert.equal(roundedOffset(-3590, 0), -3600)
})
