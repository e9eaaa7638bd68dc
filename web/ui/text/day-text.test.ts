import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayPattern, readDay, writeDay } from './day-text.ts'

describe('a day in the order of a language', () => {
  for (const [language, pattern, written] of [
    ['en-GB', 'dd/mm/yyyy', '31/12/2026'],
    ['en-US', 'mm/dd/yyyy', '12/31/2026'],
    ['de', 'dd.mm.yyyy', '31.12.2026'],
    ['hu', 'yyyy. mm. dd.', '2026. 12. 31.'],
    ['ja', 'yyyy/mm/dd', '2026/12/31'],
    ['fa', 'dd/mm/yyyy', '31/12/2026'],
  ] as const)
    it(`${language} writes and reads ${pattern}`, () => {
      const plain = (text: string) => text.replace(/\p{Cf}/gu, '')
      if (language !== 'fa') assert.equal(plain(dayPattern(language)), pattern)
      if (language !== 'fa') assert.equal(plain(writeDay('2026-12-31', language)), written)
      assert.equal(readDay(writeDay('2026-12-31', language), language), '2026-12-31')
    })

  it('is read with other separators, with single digits, and in ISO format', () => {
    assert.equal(readDay('1-2-2026', 'en-GB'), '2026-02-01')
    assert.equal(readDay(' 1. 2. 2026', 'en-US'), '2026-01-02')
    assert.equal(readDay('2026-02-01', 'en-US'), '2026-02-01')
  })

  it('is read in the digits of other keyboards, and with invisible marks around it', () => {
    assert.equal(readDay('\u0663\u0661/\u0661\u0662/\u0662\u0660\u0662\u0666', 'ar'), '2026-12-31')
    assert.equal(readDay('\uff12\uff10\uff12\uff16\uff0d\uff11\uff12\uff0d\uff13\uff11', 'ja'), '2026-12-31')
    assert.equal(readDay('\u200e2026-12-31\u200f', 'en-US'), '2026-12-31')
  })

  it('is null when it does not exist or is ambiguous', () => {
    for (const text of [
      '',
      '31/02/2026',
      '1/2/26',
      '1/2',
      '1/2/3/2026',
      'tomorrow',
      '12/31/2026',
      '0/1/2026',
      `1/1/${'2'.repeat(9_000)}`,
    ])
      assert.equal(readDay(text, 'en-GB'), null, text)
  })
})
