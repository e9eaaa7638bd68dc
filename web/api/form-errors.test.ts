import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsBy, placeErrors, schemaErrors } from './form-errors.ts'

const fieldFor = fieldsBy({ account: '', amount: '', receipt: '' }, { trading_account: 'account', files: 'receipt' })

test('what the server says lands on its field; what belongs to no field of the form is kept apart', () => {
  const said = { amount: ['Too much.'], trading_account: ['No.', 'Never.'], 'files.0': [], origin: ['Odd.'] }
  assert.deepEqual(placeErrors(said, fieldFor), {
    errors: { amount: ['Too much.'], account: ['No.', 'Never.'], receipt: ['Please fill all required fields.'] },
    others: ['Odd.'],
  })
})

test('of two names of one field the first is said, and a name of every object is none of the form', () => {
  const said = { trading_account: ['First.'], account: ['Second.'], constructor: ['Odd.'], form: ['Odd.'] }
  assert.deepEqual(placeErrors(said, fieldFor), { errors: { account: ['First.'] }, others: ['Odd.'] })
})

test('of a schema each field has its first sentence', () => {
  const issue = (message: string, ...path: PropertyKey[]) => ({ path, message })
  const issues = [issue('One.', 'amount'), issue('Two.', 'amount'), issue('Three.', 'files', 0), issue('Four.', 'x')]
  const schema = { safeParse: () => ({ error: { issues } }) }
  assert.deepEqual(schemaErrors(schema, {}, fieldFor), { amount: ['One.'], receipt: ['Three.'] })
  assert.deepEqual(schemaErrors({ safeParse: () => ({}) }, {}, fieldFor), {})
})
