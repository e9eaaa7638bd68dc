import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkAnswers } from '@atrium/contract/forms/answers.ts'
import { aField, aForm } from '../../../tests/fixtures/form-definitions.ts'
import { tickOption } from './ticked-options.ts'

const field = aField('checkbox_group', 'wishes', { options: ['a', 'b', 'c'] })

it('adds and removes an option, in the order of the form', () => {
  assert.deepEqual(tickOption(field, ['c'], 'a', true), ['a', 'c'])
  assert.deepEqual(tickOption(field, ['a', 'c'], 'a', false), ['c'])
  assert.deepEqual(tickOption(field, ['a'], 'a', true), ['a'])
})

it('drops values that the form no longer offers, so that it can be submitted', () => {
  const begun = ['gone', 'b']
  const form = aForm([field])
  const send = (wishes: string[]) => checkAnswers(form, { wishes }, { today: '2026-11-24' }).ok
  assert.equal(send(begun), false)
  assert.deepEqual(tickOption(field, begun, 'a', true), ['a', 'b'])
  assert.deepEqual(tickOption(field, begun, 'b', false), [])
  assert.equal(send(tickOption(field, begun, 'a', true)), true)
})
