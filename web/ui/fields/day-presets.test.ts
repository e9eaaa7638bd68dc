import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeInSpan, spanPresets } from './day-presets.ts'

const spans = (today: string) =>
  Object.fromEntries(spanPresets(today).map(({ label, from, to }) => [label, `${from} ${to}`]))

test('presets are whole days that end today, across month and year ends', () => {
  assert.deepEqual(spans('2026-03-01'), {
    Today: '2026-03-01 2026-03-01',
    Yesterday: '2026-02-28 2026-02-28',
    'Last 7 days': '2026-02-23 2026-03-01',
    'Last 30 days': '2026-01-31 2026-03-01',
    'This month': '2026-03-01 2026-03-01',
    'Last month': '2026-02-01 2026-02-28',
    'This year': '2026-01-01 2026-03-01',
  })
  assert.equal(spans('2024-03-31')['Last month'], '2024-02-01 2024-02-29')
  assert.equal(spans('2026-01-15')['Last month'], '2025-12-01 2025-12-31')
})

test('marks a span from its first day to its last, but not an incomplete or reversed one', () => {
  const span = { from: '2026-03-01', to: '2026-03-03' }
  assert.deepEqual(placeInSpan(span, '2026-03-01'), { inRange: true, firstInRange: true, lastInRange: false })
  assert.deepEqual(placeInSpan(span, '2026-03-02'), { inRange: true, firstInRange: false, lastInRange: false })
  assert.equal(placeInSpan(span, '2026-03-04').inRange, false)
  assert.deepEqual(placeInSpan({ from: '2026-03-01' }, '2026-03-01'), {})
  assert.deepEqual(placeInSpan({ from: '2026-03-03', to: '2026-03-01' }, '2026-03-02'), {})
})
