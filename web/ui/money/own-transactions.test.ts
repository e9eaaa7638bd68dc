// spec: AO 4
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transactionStates } from '@atrium/contract/funding/states.ts'
import { beneficiaryLabel, movedAmount, ownStateLabel } from './own-transactions.ts'

test('every state of a transaction has a name of its own, and one of a later version counts as waiting', () => {
  const names = transactionStates.map((state) => ownStateLabel(state).label)
  assert.equal(new Set(names).size, transactionStates.length)
  assert.deepEqual(ownStateLabel('cancelled'), { label: 'Cancelled', meaning: 'grey' })
  assert.deepEqual(ownStateLabel('of tomorrow'), ownStateLabel('pending'))
})

test('outgoing amounts have a minus, and what never moved has no sign', () => {
  const of = (type: string, state: string) => movedAmount({ type, state, amount: '10.00' })
  assert.deepEqual(of('withdrawal', 'paying'), { amount: '-10.00', sign: 'always' })
  assert.deepEqual(of('deposit', 'approved'), { amount: '10.00', sign: 'always' })
  for (const state of ['rejected', 'cancelled'])
    assert.deepEqual(of('withdrawal', state), { amount: '10.00', isVoid: true }, state)
})

test('a beneficiary of a later version shows its code', () => {
  assert.equal(beneficiaryLabel('psp:zotapay'), 'Zotapay')
  assert.equal(beneficiaryLabel('cash_desk'), 'cash_desk')
})
