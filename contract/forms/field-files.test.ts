import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileRulesOf } from './field-files.ts'

test('a field that takes one extension of a photo takes the other', () => {
  const extensionsOf = (...file_types: ('jpg' | 'jpeg' | 'pdf')[]) =>
    fileRulesOf({ type: 'file', config: { file_types } }).extensions
  assert.deepEqual(extensionsOf('jpg', 'pdf'), ['jpg', 'pdf', 'jpeg'])
  assert.deepEqual(extensionsOf('jpeg'), ['jpeg', 'jpg'])
  assert.deepEqual(extensionsOf('pdf'), ['pdf'])
})
