// spec: AO 4
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hasUnsavedEdits, holdEdits, whoMindsLeavingTo } from './unsaved-edits.ts'

it('registers a form from its first edit until it is released', () => {
  const [deposit, complaint] = [Symbol('deposit'), Symbol('complaint')]
  assert.equal(hasUnsavedEdits(), false)
  assert.equal(whoMindsLeavingTo('/home'), undefined)
  const saved = holdEdits(deposit, { mindsLeavingTo: (path) => !path.startsWith('/funds/deposit') })
  assert.equal(whoMindsLeavingTo('/home'), deposit)
  assert.equal(whoMindsLeavingTo('/funds/deposit/1'), undefined)
  const sent = holdEdits(complaint, { mindsLeavingTo: () => true })
  assert.equal(whoMindsLeavingTo('/home'), deposit)
  assert.equal(whoMindsLeavingTo('/funds/deposit/1'), complaint)
  saved()
  assert.equal(whoMindsLeavingTo('/home'), complaint)
  saved()
  assert.equal(hasUnsavedEdits(), true)
  sent()
  assert.equal(hasUnsavedEdits(), false)
})
