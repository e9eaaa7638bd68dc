import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayFrom } from './form-days.ts'

const cases: [text: string | undefined, today: string, day: string | null][] = [
  [undefined, '2026-11-22', null],
  ['2020-02-29', '2026-11-22', '2020-02-29'],
  ['2021-02-29', '2026-11-22', null],
  ['today', '2026-11-22', '2026-11-22'],
  ['today+1d', '2026-12-31', '2027-01-01'],
  ['today-1d', '2024-03-01', '2024-02-29'],
  ['today+9999d', '2026-11-22', '2054-04-08'],
  ['today+1m', '2026-01-31', '2026-02-28'],
  ['today+1m', '2024-01-31', '2024-02-29'],
  ['today+3m', '2026-01-31', '2026-04-30'],
  ['today-3m', '2026-01-15', '2025-10-15'],
  ['today-12m', '2026-12-31', '2025-12-31'],
  ['today-18y', '2026-11-22', '2008-11-22'],
  ['today-1y', '2024-02-29', '2023-02-28'],
  ['today-4y', '2024-02-29', '2020-02-29'],
  ['today-9999y', '2026-11-22', null],
  ['today+9999y', '2026-11-22', null],
  ['today', 'tomorrow', null],
  ['yesterday', '2026-11-22', null],
  ['today-18', '2026-11-22', null],
]

describe('a day of a form', () => {
  for (const [text, today, day] of cases)
    it(`${text} on ${today} is ${day}`, () => assert.equal(dayFrom(text, today), day))
})
