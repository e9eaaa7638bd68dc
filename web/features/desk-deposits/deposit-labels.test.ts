import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { orderStates } from '@atrium/contract/payments/orders.ts'
import { isDecidedHere } from './deposit-labels.ts'

test('staff decide on a pending deposit once its provider has ended with it', () => {
  assert.equal(isDecidedHere({ state: 'pending', payment: null }), true)
  const open = orderStates.filter((state) => !isDecidedHere({ state: 'pending', payment: { state } }))
  assert.deepEqual(open, ['created', 'checking', 'handed_over'])
  for (const state of ['approved', 'crediting', 'rejected', 'cancelled'])
    assert.equal(isDecidedHere({ state, payment: null }), false, state)
})

test('the keys and the buttons of a decision follow the same rule', () => {
  for (const file of ['deposits-page.tsx', 'deposit-detail.tsx'])
    assert.match(readFileSync(join(import.meta.dirname, file), 'utf8'), /isDecidedHere\(deposit\)/, file)
})
