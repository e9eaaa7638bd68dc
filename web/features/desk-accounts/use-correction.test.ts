import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useCorrection } from './use-correction.ts'

let correction: ReturnType<typeof useCorrection>
const page = hookUnderTest(useCorrection, (shown) => {
  correction = shown
})
afterEach(() => page.close())

it('a correction that is being written stays when the member moves money on the account', () => {
  page.show({ may_correct_owner: true })
  flushSync(() => correction.open())
  page.show({ may_correct_owner: false })
  assert.deepEqual([correction.isShown, correction.isOpen], [true, true])
  flushSync(() => correction.close())
  assert.equal(correction.isShown, false)
})
