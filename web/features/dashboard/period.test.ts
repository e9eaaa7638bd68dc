import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf, periods, readPeriod, writePeriod } from './period.ts'

const dayMs = 86_400_000

test('an address that was tampered with shows thirty days', () => {
  for (const period of ['', 'week', 30, null, ['all']]) assert.equal(readPeriod({ period }), '30d')
  assert.equal(readPeriod({}), '30d')
})

for (const period of periods)
  test(`${period} is written so that it is read again`, () => {
    assert.equal(readPeriod(writePeriod(period)), period)
  })

test('thirty days are today and the twenty-nine before it, from the first moment', () => {
  const now = Date.UTC(2026, 10, 21, 14, 5)
  assert.deepEqual(beginningOf('30d', now, 'UTC'), { day: '2026-10-23', at: Date.UTC(2026, 9, 23) })
  assert.deepEqual(beginningOf('year', now, 'UTC'), { day: '2025-11-22', at: Date.UTC(2025, 10, 22) })
  assert.equal(beginningOf('all', now, 'UTC'), null)
})

test('the days are those of the reader', () => {
  const now = Date.UTC(2026, 10, 21, 23, 30)
  assert.equal(beginningOf('30d', now, 'Asia/Tokyo')?.day, '2026-10-24')
  assert.equal(beginningOf('30d', now, 'America/New_York')?.at, Date.UTC(2026, 9, 23, 4))
})

test('the days are found however a browser writes a whole date', (t) => {
  t.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => () => '11/21/2026')
  assert.equal(beginningOf('30d', Date.UTC(2026, 10, 21, 14, 5), 'UTC')?.day, '2026-10-23')
})

test('a change of the clocks in between moves no day', () => {
  // Berlin went back an hour on the 25th of October, so the beginning is 30 days and 1 hour before its own hour today.
  const now = Date.UTC(2026, 10, 21, 23)
  assert.equal(beginningOf('90d', now, 'Europe/Berlin')?.at, now - 89 * dayMs - 3_600_000)
})
