import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedTime } from './expected-time.ts'

const rule = { time: '15:00', zone: 'UTC', days_min: 1, days_max: 3 }
const told = (now: string, change: Partial<typeof rule> = {}) => {
  const { cutOff, from, until } = expectedTime(new Date(now), { ...rule, ...change })
  return [cutOff, from, until].map((moment) => moment.toISOString())
}

test('before the cut-off of a working day it is worked on that day, after it on the next', () => {
  // A Tuesday.
  assert.deepEqual(told('2026-11-17T14:59:59Z'), [
    '2026-11-17T15:00:00.000Z',
    '2026-11-18T18:00:00.000Z',
    '2026-11-20T18:00:00.000Z',
  ])
  assert.deepEqual(told('2026-11-17T15:00:00Z')[0], '2026-11-18T15:00:00.000Z')
})

test('weekends are not worked on', () => {
  // A Friday after the cut-off, and a Saturday.
  for (const now of ['2026-11-20T16:00:00Z', '2026-11-21T09:00:00Z'])
    assert.deepEqual(told(now), ['2026-11-23T15:00:00.000Z', '2026-11-24T18:00:00.000Z', '2026-11-26T18:00:00.000Z'])
})

test('the cut-off is that of its zone, on both sides of a change of the clocks', () => {
  const zone = 'Europe/Athens'
  assert.equal(told('2026-10-23T09:00:00Z', { zone })[0], '2026-10-23T12:00:00.000Z')
  assert.equal(told('2026-10-26T09:00:00Z', { zone })[0], '2026-10-26T13:00:00.000Z')
  // Late in UTC is the next day there.
  assert.equal(told('2026-11-16T23:30:00Z', { zone: 'Asia/Tokyo' })[0], '2026-11-17T06:00:00.000Z')
})

test('the same day where nothing takes a day', () => {
  assert.deepEqual(told('2026-11-17T10:00:00Z', { days_min: 0, days_max: 0 })[1], '2026-11-17T18:00:00.000Z')
})
