import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useMerging } from './use-merging.ts'

let merging: ReturnType<typeof useMerging>
const page = hookUnderTest(useMerging, (shown) => {
  merging = shown
})
afterEach(() => page.close())

it('the choice of another ticket stays open when a colleague closes the ticket, whose actions go', () => {
  page.show({ state: 'open' })
  flushSync(() => merging.open())
  page.show({ state: 'closed' })
  assert.deepEqual([merging.hasActions, merging.isOpen], [false, true])
})
