// spec: DK forms
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { pointsRange } from './points-range.ts'

const field = (type: FormField['type'], scores: FormField['scores']): FormField => ({
  ...{ name: 'x', description: null, type, options: [], scores, row: 0, column: 0, config: {}, input_name: 'x' },
})
const formOf = (...fields: FormField[]): FormDefinition => ({
  steps: [{ _id: 'one', name: 'One', fields }],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
})

it('takes the best and worst points of a single choice and sums those of multiple choices', () => {
  assert.equal(pointsRange(formOf(field('text', {}))), null)
  const choice = field('radio', { a: 2, b: 5 })
  const choices = field('checkbox_group', { a: 2, b: 5, c: -1 })
  assert.deepEqual(pointsRange(formOf(choice)), { least: 0, most: 5 })
  assert.deepEqual(pointsRange(formOf(choices)), { least: -1, most: 7 })
  assert.deepEqual(pointsRange(formOf(choice, choices, field('yes_no', { no: -3 }))), { least: -4, most: 12 })
})
