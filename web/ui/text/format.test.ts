// spec: MP 9, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  day,
  dayAndTime,
  dayAndZone,
  fileSize,
  percent,
  relativeTime,
  setReader,
  signedAmount,
  startOfDay,
  startOfDayAfter,
  time,
  timeOrDay,
  usableLanguage,
} from './format.ts'

it('formats percentages of exact decimals, and null as a dash', () => {
  assert.equal(percent('1250.5', 'en'), '1,250.50%')
  assert.equal(percent('1250.5', 'de'), '1.250,50\u00a0%')
  assert.equal(percent(null, 'en'), '\u2013')
})

describe('a formatted amount', () => {
  for (const [amount, currency, sign, shown] of [
    ['1250', 'USD', 'negative', '1,250.00'],
    ['1250.5', 'USD', 'always', '+1,250.50'],
    ['-12.5', 'USD', 'negative', '−12.50'],
    ['0', 'USD', 'always', '0.00'],
    ['-0.00', 'USD', 'always', '0.00'],
    ['1000', 'JPY', 'negative', '1,000.00'],
    ['0.00012345', 'BTC', 'negative', '0.00012345'],
    ['99999999999999.99', 'USD', 'negative', '99,999,999,999,999.99'],
    ['0.1234567890123456', 'ETH', 'negative', '0.123456789012345600'],
  ] as const)
    it(`${amount} ${currency} is ${shown}`, () => assert.equal(signedAmount(amount, currency, sign, 'en'), shown))

  it('follows the language', () => {
    assert.equal(signedAmount('-1250.5', 'EUR', 'negative', 'de'), '−1.250,50')
  })

  for (const [language, loss, gain, zero] of [
    ['ar-EG', '−١٬٢٥٠٫٥٠', '+١٢٫٠٠', '٠٫٠٠'],
    ['fa-IR', '−۱٬۲۵۰٫۵۰', '+۱۲٫۰۰', '۰٫۰۰'],
    ['bn-BD', '−১,২৫০.৫০', '+১২.০০', '০.০০'],
    ['mr-IN', '−१,२५०.५०', '+१२.००', '०.००'],
  ] as const)
    it(`keeps its sign in the digits of ${language}`, () =>
      assert.deepEqual(
        ['-1250.5', '12', '-0.00'].map((amount) => signedAmount(amount, 'USD', 'always', language)),
        [loss, gain, zero],
      ))
})

describe('a relative time', () => {
  const now = 1_000_000_000_000
  for (const [age, shown] of [
    [20_000, 'now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [3 * 3_600_000, '3 hours ago'],
    [86_400_000, null],
    [-3_600_000, null],
  ] as const)
    it(`${age} ms ago is ${shown}`, () => assert.equal(relativeTime(now - age, now, 'en'), shown))
})

describe('a file size', () => {
  for (const [bytes, shown] of [
    [1, '1 KB'],
    [248_499, '248 KB'],
    [4_960_000, '5 MB'],
    [1_240_000, '1.2 MB'],
  ] as const)
    it(`${bytes} is ${shown}`, () => assert.equal(fileSize(bytes, 'en'), shown))
})

describe('the language of numbers and dates', () => {
  for (const [named, used] of [
    ['en-US@posix', 'en-US'],
    ['de_DE.UTF-8', 'en'],
    ['de-at', 'de-AT'],
    ['C', 'en'],
    [undefined, 'en'],
  ] as const)
    it(`${named} is ${used}`, () => assert.equal(usableLanguage(named), used))
})

describe('a day and a time in the member’s time zone', () => {
  const at = Date.UTC(2026, 2, 29, 22, 30)
  it('follow the language and zone that the member chose, and the browser again afterwards', () => {
    setReader({ language: 'de', timeZone: 'Asia/Tokyo' })
    assert.deepEqual([day(at), time(at)], ['30. März 2026', '07:30'])
    setReader({ language: 'fr', timeZone: 'America/New_York' })
    assert.deepEqual([day(at), time(at)], ['29 mars 2026', '18:30'])
    setReader({ language: null, timeZone: null })
  })

  it('use the specification’s format by default, and the chosen one after a choice', () => {
    const noon = Date.UTC(2026, 10, 21, 14, 5)
    setReader({ language: null, timeZone: 'UTC' })
    assert.deepEqual([dayAndTime(noon), dayAndZone(noon)], ['Nov 21, 2026 14:05', 'Nov 21, 2026 14:05 UTC'])
    setReader({ language: 'en-GB', timeZone: 'UTC' })
    assert.equal(dayAndTime(noon), '21 Nov 2026 14:05')
    setReader({ language: 'de', timeZone: 'Asia/Tokyo' })
    assert.equal(dayAndTime(noon), '21. Nov. 2026 23:05')
    setReader({ language: null, timeZone: null })
  })

  it('use the browser’s zone when it does not know the member’s', () => {
    const own = time(at)
    setReader({ language: null, timeZone: 'Mars/Olympus_Mons' })
    assert.equal(time(at), own)
    setReader({ language: null, timeZone: null })
  })

  for (const [date, zone, starts] of [
    ['2026-03-29', 'Europe/Malta', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Malta', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Malta', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Malta', '2026-10-25T23:00:00.000Z'],
    ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
    ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    // These zones set their clocks forward at midnight.
    ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
  ] as const)
    it(`${date} begins in ${zone} at ${starts}`, () =>
      assert.equal(new Date(startOfDay(date, zone)).toISOString(), starts))

  for (const [date, hours] of [
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-12-31', 24],
  ] as const)
    it(`${date} has ${hours} hours in Malta`, () =>
      assert.equal(startOfDayAfter(date, 'Europe/Malta') - startOfDay(date, 'Europe/Malta'), hours * 3_600_000))

  it('the last representable day has an end', () =>
    assert.equal(startOfDayAfter('9999-12-31', 'UTC') - startOfDay('9999-12-31', 'UTC'), 86_400_000))

  it('an invalid day has neither start nor end', () =>
    assert.deepEqual([startOfDay('soon'), startOfDayAfter('soon')], [Number.NaN, Number.NaN]))
})

it('a moment of another day is shown by its day, since its time would be taken for today\u2019s', () => {
  setReader({ language: null, timeZone: 'Europe/Malta' })
  const now = Date.parse('2026-11-21T12:00:00Z')
  assert.deepEqual(
    ['2026-11-21T08:30:00Z', '2026-11-20T23:30:00Z', '2026-11-20T22:30:00Z'].map((at) =>
      timeOrDay(Date.parse(at), now),
    ),
    ['09:30', '00:30', 'Nov 20, 2026'],
  )
  setReader({ language: null, timeZone: null })
})
