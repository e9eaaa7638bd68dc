import assert from 'node:assert/strict'
import { it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { describeCount } from './ticket-labels.ts'

it('shows a count, with a plus sign at the counting limit', () => {
  const most = limits.ticketsCountedMax
  assert.deepEqual([0, 7, most - 1, most].map(describeCount), ['0', '7', '999', '999+'])
})
