import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedTime } from './expected-time.ts'

const rule = { time: '15:00', zone: 'UTC', days_min: 1, days_max: 3 }
const expectedAt = (now: string, change: Partial<typeof rule> = {}) => {
  const { cutOff, from, until } = expectedTime(new Date(now), { ...rule, ...change })
  return [cutOff, from, until].map((moment) => moment.toISOString())
}

test('expects a withdrawal on the same working day before the cut-off, on the next one after it', () => {
  // A Tuesday.
  assert.deepEqual(expectedAt('2026-11-17T14:59:59Z'), [
    '2026-11-17T15:00:00.000Z',
    '2026-11-18T18:00:00.000Z',
    '2026-11-20T18:00:00.000Z',
  ])
  assert.deepEqual(expectedAt('2026-11-17T15:00:00Z')[0], '2026-11-18T15:00:00.000Z')
})

test('skips weekends', () => {
  // A Friday after the cut-off, and a Saturday.
  for (const now of ['2026-11-20T16:00:00Z', '2026-11-21T09:00:00Z'])
    assert.deepEqual(expectedAt(now), [
      '2026-11-23T15:00:00.000Z',
      '2026-11-24T18:00:00.000Z',
      '2026-11-26T18:00:00.000Z',
    ])
})

test('uses the cut-off in its time zone, before and after a change to winter time', () => {
  const zone = 'Europe/Athens'
  assert.equal(expectedAt('2026-10-23T09:00:00Z', { zone })[0], '2026-10-23T12:00:00.000Z')
  assert.equal(expectedAt('2026-10-26T09:00:00Z', { zone })[0], '2026-10-26T13:00:00.000Z')
  // Late in UTC is already the next day in Tokyo.
  assert.equal(expectedAt('2026-11-16T23:30:00Z', { zone: 'Asia/Tokyo' })[0], '2026-11-17T06:00:00.000Z')
})

test('arrives on the same day when processing takes no days', () => {
  assert.deepEqual(expectedAt('2026-11-17T10:00:00Z', { days_min: 0, days_max: 0 })[1], '2026-11-17T18:00:00.000Z')
})
