// spec: DK workspace
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mergeValues } from './merge-values.ts'

it('keeps local changes and takes all other remote values', () => {
  const begun = { name: 'Old', accent: '#111111', vendors: ['A'] }
  const mine = { name: 'Mine', accent: '#111111', vendors: ['A'] }
  const theirs = { name: 'Theirs', accent: '#222222', vendors: ['A'] }
  assert.deepEqual(mergeValues(begun, mine, theirs), {
    values: { name: 'Mine', accent: '#222222', vendors: ['A'] },
    changedElsewhere: ['name', 'accent'],
  })
})
