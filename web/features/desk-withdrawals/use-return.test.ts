import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useReturn } from './use-return.ts'

let offer: ReturnType<typeof useReturn>
const page = hookUnderTest(useReturn, (shown) => {
  offer = shown
})
const withdrawalOf = (returnable: string | null) => ({ state: 'approved', returnable }) as unknown as DeskWithdrawal

afterEach(() => page.close())

it('a report of a return stays open with its amount when the report of a colleague leaves nothing to return', () => {
  page.show(withdrawalOf('80.00'))
  flushSync(() => offer.open())
  page.show(withdrawalOf(null))
  assert.deepEqual([offer.isOffered, offer.reported?.returnable], [false, '80.00'])
  flushSync(() => offer.close())
  assert.equal(offer.reported, null)
})

it('offers no report where nothing can be returned', () => {
  page.show(withdrawalOf(null))
  flushSync(() => offer.open())
  assert.deepEqual([offer.isOffered, offer.reported], [false, null])
})
