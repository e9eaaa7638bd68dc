import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf, periods, readPeriod, writePeriod } from './period.ts'

const dayMs = 86_400_000

test('defaults to thirty days for an invalid URL value', () => {
  for (const period of ['', 'week', 30, null, ['all']]) assert.equal(readPeriod({ period }), '30d')
  assert.equal(readPeriod({}), '30d')
})

for (const period of periods)
  test(`${period} survives a round trip through the URL`, () => {
    assert.equal(readPeriod(writePeriod(period)), period)
  })

test('covers today and the twenty-nine days before it, from midnight', () => {
  const now = Date.UTC(2026, 10, 21, 14, 5)
  assert.deepEqual(beginningOf('30d', now, 'UTC'), { day: '2026-10-23', at: Date.UTC(2026, 9, 23) })
  assert.deepEqual(beginningOf('year', now, 'UTC'), { day: '2025-11-22', at: Date.UTC(2025, 10, 22) })
  assert.equal(beginningOf('all', now, 'UTC'), null)
})

test('uses the days of the reader’s time zone', () => {
  const now = Date.UTC(2026, 10, 21, 23, 30)
  assert.equal(beginningOf('30d', now, 'Asia/Tokyo')?.day, '2026-10-24')
  assert.equal(beginningOf('30d', now, 'America/New_York')?.at, Date.UTC(2026, 9, 23, 4))
})

test('does not depend on how the browser formats a date', (t) => {
  t.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => () => '11/21/2026')
  assert.equal(beginningOf('30d', Date.UTC(2026, 10, 21, 14, 5), 'UTC')?.day, '2026-10-23')
})

test('counts whole days across a clock change', () => {
  // Berlin set its clocks back on 25 October, so the start lies one hour further back than whole days.
  const now = Date.UTC(2026, 10, 21, 23)
  assert.equal(beginningOf('90d', now, 'Europe/Berlin')?.at, now - 89 * dayMs - 3_600_000)
})
