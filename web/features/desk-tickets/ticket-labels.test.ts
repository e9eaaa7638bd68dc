import assert from 'node:assert/strict'
import { it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { countWords } from './ticket-labels.ts'

it('says how many there are, and "and more" where counting ended', () => {
  const most = limits.ticketsCountedMax
  assert.deepEqual([0, 7, most - 1, most].map(countWords), ['0', '7', '999', '999+'])
})
