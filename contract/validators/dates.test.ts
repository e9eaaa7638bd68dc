// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validateDate } from './dates.ts'
import { validatorTexts } from './messages.ts'

describe('the check of a date as yyyy-mm-dd', () => {
  // Month lengths follow RFC 3339, section 5.7, and its appendix C on leap years.
  const good = [
    '2026-01-31',
    '2026-04-30',
    '2024-02-29',
    '2000-02-29',
    '0004-02-29',
    '9999-12-31',
    '0001-01-01',
    '1985-04-12',
    '',
  ]
  const bad = [
    '2026-02-29',
    '1900-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-06-31',
    '2026-09-31',
    '2026-11-31',
    '2026-01-32',
    '2026-13-01',
    '2026-00-10',
    '2026-10-00',
    '0000-01-01',
    '2026-1-1',
    '26-01-01',
    '2026/01/01',
    '01-02-2026',
    '2026-01-01T00:00',
    '+002026-01-01',
    '-2026-01-01',
    '2026-01-0a',
    '２０２６-01-01',
    '2026-01-01\u0000',
    '2'.repeat(500_000),
  ]
  for (const day of good) it(`accepts ${JSON.stringify(day)}`, () => assert.equal(validateDate(day), null))
  for (const day of bad)
    it(`refuses ${JSON.stringify(day.slice(0, 30))}`, () => assert.equal(validateDate(day), validatorTexts.date))

  it('agrees with the calendar of JavaScript', () => {
    for (let year = 1896; year <= 2104; year++)
      for (let month = 1; month <= 12; month++) {
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
        const text = (day: number) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        assert.equal(validateDate(text(last)), null)
        assert.equal(validateDate(text(last + 1)), validatorTexts.date)
      }
  })
})
