import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDemoDraft } from './demo-deposit-draft.ts'

const whole = { accountId: '0193d3a0-0000-7000-8000-000000000001', amount: '25.50', comment: 'To practise' }

test('accepts a complete form', () => assert.deepEqual(checkDemoDraft(whole, 'USD'), {}))

test('reports every missing field', () => {
  assert.deepEqual(checkDemoDraft({ accountId: null, amount: '', comment: ' ' }, null), {
    account: ['Please fill all required fields.'],
    amount: ['Please specify the deposit amount.'],
    comment: ['Please fill all required fields.'],
  })
  assert.deepEqual(checkDemoDraft({ ...whole, amount: '0' }, 'USD'), {
    amount: ['The amount needs to be greater than 0.00.'],
  })
  assert.deepEqual(checkDemoDraft({ ...whole, amount: '1.5' }, 'JPY'), { amount: ['Please, enter a valid amount.'] })
})
