// spec: OP notifications
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writtenDay, writtenMoment } from './written-time.ts'

test('writes a day with its month’s name, independent of the server’s time zone', () => {
  assert.equal(writtenDay('2026-03-04'), '4 March 2026')
  assert.equal(writtenDay('2028-02-29'), '29 February 2028')
  assert.equal(writtenDay('2026-12-31'), '31 December 2026')
})

test('writes a moment with its zone and a 24-hour clock', () => {
  assert.equal(writtenMoment(new Date('2026-12-10T14:05:59Z')), '10 December 2026 at 14:05 (UTC)')
  assert.equal(writtenMoment(new Date('2026-12-31T23:59:59+01:00')), '31 December 2026 at 22:59 (UTC)')
  assert.equal(writtenMoment(new Date('2026-01-01T00:00:00Z')), '1 January 2026 at 00:00 (UTC)')
})
