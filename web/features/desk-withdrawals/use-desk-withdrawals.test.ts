import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useSettling } from './use-desk-withdrawals.ts'

let settling: ReturnType<typeof useSettling>
const page = hookUnderTest(useSettling, (shown) => {
  settling = shown
})
afterEach(() => page.close())

it('the word about a deleted account stays open when a colleague settles the outcome first', () => {
  const said = { outcome: 'executed', operation: '77', reason: 'Report', by: 'Ben', is_you: false }
  page.show({ _id: 'one', platform: { account_gone: true, outcome_said: said } } as unknown as DeskWithdrawal)
  flushSync(() => settling.record())
  page.show({ _id: 'one', platform: { account_gone: false, outcome_said: null } } as unknown as DeskWithdrawal)
  assert.deepEqual(settling.dialog?.said, said)
  page.show({ _id: 'one', platform: null } as unknown as DeskWithdrawal)
  assert.deepEqual(settling.dialog?.said, said)
  flushSync(() => settling.dialog?.onClose())
  assert.equal(settling.dialog, null)
})
