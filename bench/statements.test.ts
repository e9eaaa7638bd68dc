import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyAsked, readStatement, recordStatements } from './statements.ts'

test('reads a statement given as text with values or as an object, named or not', () => {
  const expected = { text: 'select $1', values: ['x'] }
  assert.deepEqual(readStatement(['select $1', ['x']]), expected)
  assert.deepEqual(readStatement([{ text: 'select $1', values: ['x'] }]), expected)
  assert.deepEqual(readStatement([{ name: 'kept', text: 'select $1', values: ['x'] }]), expected)
  assert.deepEqual(readStatement(['select 1']), { text: 'select 1', values: [] })
  assert.throws(() => readStatement([{ submit: () => undefined }]), /cannot read/)
})

test('rejects a baseline that would run no statement', async () => {
  await assert.rejects(
    recordStatements(async () => undefined),
    /no statement/,
  )
  const around = ["begin read only; select set_config('a', 'b', true)", 'commit'].map((text) => ({ text, values: [] }))
  assert.throws(() => onlyAsked(around), /no statement/)
  const asked = { text: 'select 1', values: [] }
  assert.deepEqual(onlyAsked([...around, asked]), [asked])
  assert.throws(() => onlyAsked([asked], [asked]), /no statement/)
})
