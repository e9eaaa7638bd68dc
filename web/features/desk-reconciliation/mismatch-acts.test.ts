import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mismatchStates } from '@atrium/contract/reconciliation/states.ts'
import { offeredActs } from './mismatch-acts.ts'

it('an explanation that is being written stays, whatever becomes of the mismatch', () => {
  for (const state of mismatchStates) assert.equal(offeredActs({ state }, true).hasDialog, true, state)
  assert.deepEqual(offeredActs({ state: 'vanished' }, false), { mayReopen: false, mayExplain: false, hasDialog: false })
})
