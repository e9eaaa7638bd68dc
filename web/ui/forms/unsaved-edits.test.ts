// spec: AO 4
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findFormBlockingLeave, hasUnsavedEdits, holdEdits } from './unsaved-edits.ts'

it('registers a form from its first edit until it is released', () => {
  const [deposit, complaint] = [Symbol('deposit'), Symbol('complaint')]
  assert.equal(hasUnsavedEdits(), false)
  assert.equal(findFormBlockingLeave('/home'), undefined)
  const saved = holdEdits(deposit, { blocksLeavingTo: (path) => !path.startsWith('/funds/deposit') })
  assert.equal(findFormBlockingLeave('/home'), deposit)
  assert.equal(findFormBlockingLeave('/funds/deposit/1'), undefined)
  const sent = holdEdits(complaint, { blocksLeavingTo: () => true })
  assert.equal(findFormBlockingLeave('/home'), deposit)
  assert.equal(findFormBlockingLeave('/funds/deposit/1'), complaint)
  saved()
  assert.equal(findFormBlockingLeave('/home'), complaint)
  saved()
  assert.equal(hasUnsavedEdits(), true)
  sent()
  assert.equal(hasUnsavedEdits(), false)
})
