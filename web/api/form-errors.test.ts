import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsBy, placeErrors, schemaErrors } from './form-errors.ts'

const fieldFor = fieldsBy({ account: '', amount: '', receipt: '' }, { trading_account: 'account', files: 'receipt' })

test('assigns server messages to form fields and returns the others separately', () => {
  const said = { amount: ['Too much.'], trading_account: ['No.', 'Never.'], 'files.0': [], origin: ['Odd.'] }
  assert.deepEqual(placeErrors(said, fieldFor), {
    errors: { amount: ['Too much.'], account: ['No.', 'Never.'], receipt: ['Please fill all required fields.'] },
    others: ['Odd.'],
  })
})

test('uses the first of two names for a field and ignores names of Object.prototype', () => {
  const said = { trading_account: ['First.'], account: ['Second.'], constructor: ['Odd.'], form: ['Odd.'] }
  assert.deepEqual(placeErrors(said, fieldFor), { errors: { account: ['First.'] }, others: ['Odd.'] })
})

test('returns the first schema error of each field', () => {
  const issue = (message: string, ...path: PropertyKey[]) => ({ path, message })
  const issues = [issue('One.', 'amount'), issue('Two.', 'amount'), issue('Three.', 'files', 0), issue('Four.', 'x')]
  const schema = { safeParse: () => ({ error: { issues } }) }
  assert.deepEqual(schemaErrors(schema, {}, fieldFor), { amount: ['One.'], receipt: ['Three.'] })
  assert.deepEqual(schemaErrors({ safeParse: () => ({}) }, {}, fieldFor), {})
})
