import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { parseMoment } from './moment.ts'

const byDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown
const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })

/** The text of PostgreSQL, without a fraction or with its digits up to the last that is not zero. */
const printed = fc.record({ day, zone: fc.constantFrom('+00', '+02', '-03:30', '+05:45') }).map(({ day: at, zone }) => {
  const [date = '', time = ''] = at.toISOString().replace('Z', '').split('T')
  return `${date} ${time.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros.replace(/0/g, '')))}${zone}`
})

test('reads a moment as the driver does, in UTC and in other zones', () => {
  fc.assert(fc.property(printed, (text) => assert.deepEqual(parseMoment(text), byDriver(text), text)))
})

test('drops microseconds, and leaves other forms to the driver', () => {
  const isoOf = (text: string) => parseMoment(text).toISOString()
  assert.equal(isoOf('2026-11-29 02:13:01.426999+00'), '2026-11-29T02:13:01.426Z')
  assert.equal(isoOf('2026-11-29 02:13:01.5+00'), '2026-11-29T02:13:01.500Z')
  assert.equal(isoOf('2026-11-29 02:13:01.05+00'), '2026-11-29T02:13:01.050Z')
  assert.equal(isoOf('2026-11-29 02:13:01+00'), '2026-11-29T02:13:01.000Z')
  assert.equal(parseMoment('infinity'), Number.POSITIVE_INFINITY)
  assert.deepEqual(parseMoment('0044-03-15 12:00:00+00 BC'), byDriver('0044-03-15 12:00:00+00 BC'))
})
