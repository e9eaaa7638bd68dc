import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { type DeskDeposit, useSettling } from './use-desk-deposits.ts'

let settling: ReturnType<typeof useSettling>
const page = hookUnderTest(useSettling, (shown) => {
  settling = shown
})
afterEach(() => page.close())

it('the word about a deleted account stays open when a colleague settles the outcome first', () => {
  const said = { outcome: 'not_executed', operation: null, reason: 'Report', by: 'Ben', is_you: false }
  page.show({ _id: 'one', crediting: { account_gone: true, outcome_said: said } } as unknown as DeskDeposit)
  flushSync(() => settling.record())
  page.show({ _id: 'one', crediting: null } as unknown as DeskDeposit)
  assert.deepEqual(settling.dialog?.said, said)
})
