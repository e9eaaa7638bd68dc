// spec: DK forms
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FormField } from '@atrium/contract/forms/definition.ts'
import { moveOption, putOption, removeOption, scoreOf } from './form-options.ts'

const field: FormField = {
  name: 'Risk',
  description: null,
  type: 'radio',
  options: [
    { value: 'low', label: 'Low' },
    { value: 'mid', label: 'Middle' },
    { value: 'high', label: 'High' },
  ],
  scores: { low: 1, high: 3 },
  row: 0,
  column: 0,
  config: {},
  input_name: 'risk',
}
const values = (options: FormField['options']) => options.map(({ value }) => value).join(' ')

it('moves an option to the position of another', () => {
  assert.equal(values(moveOption(field.options, 0, 2)), 'mid high low')
  assert.equal(values(moveOption(field.options, 2, 0)), 'high low mid')
  assert.equal(moveOption(field.options, 1, 1), field.options)
  assert.equal(moveOption(field.options, 9, 1), field.options)
})

it('moves points along with a changed option value', () => {
  const renamed = putOption(field, 0, { value: 'small' })
  assert.deepEqual([values(renamed.options), renamed.scores], ['small mid high', { small: 1, high: 3 }])
  const label = putOption(field, 0, { label: 'Little' })
  assert.deepEqual([label.options[0], label.scores], [{ value: 'low', label: 'Little' }, field.scores])
  // While typing, the value can briefly equal another option's, whose points must not change.
  const passing = putOption(putOption(field, 1, { value: 'high' }), 1, { value: 'higher' })
  assert.equal(passing.scores.high, 3)
})

it('stores whole points or none', () => {
  assert.deepEqual(putOption(field, 1, {}, -2).scores, { low: 1, high: 3, mid: -2 })
  assert.deepEqual(putOption(field, 0, {}, null).scores, { high: 3 })
  assert.equal(scoreOf(field, 'low'), 1)
  assert.equal(scoreOf(field, 'mid'), null)
  assert.equal(scoreOf(field, 'constructor'), null)
})

it('removes the points of a removed option', () => {
  const less = removeOption(field, 2)
  assert.deepEqual([values(less.options), less.scores], ['low mid', { low: 1 }])
})
