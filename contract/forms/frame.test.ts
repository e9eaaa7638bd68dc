// spec: AO 7
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readFormFrameMessage, readFormPageMessage } from './frame.ts'

it('accepts the messages of a form frame, and rejects any other posted data', () => {
  assert.deepEqual(readFormFrameMessage({ kind: 'form-height', height: 640, more: 1 }), {
    kind: 'form-height',
    height: 640,
  })
  assert.deepEqual(readFormFrameMessage({ kind: 'form-dirty', isDirty: true }), { kind: 'form-dirty', isDirty: true })
  assert.deepEqual(readFormFrameMessage({ kind: 'form-sent' }), { kind: 'form-sent' })
  const others = [
    null,
    'form-sent',
    {},
    { kind: 'form-height' },
    { kind: 'form-height', height: '640' },
    { kind: 'form-height', height: -1 },
    { kind: 'form-height', height: Number.NaN },
    { kind: 'form-height', height: 1e9 },
    { kind: 'form-dirty', isDirty: 'yes' },
  ]
  for (const other of others) assert.equal(readFormFrameMessage(other), null, JSON.stringify(other))
})

it('accepts the message of the surrounding page, and rejects any other posted data', () => {
  assert.deepEqual(readFormPageMessage({ kind: 'form-scheme', isDark: true, more: 1 }), {
    kind: 'form-scheme',
    isDark: true,
  })
  const others = [
    null,
    'form-scheme',
    {},
    { kind: 'form-scheme' },
    { kind: 'form-scheme', isDark: 'yes' },
    { isDark: true },
  ]
  for (const other of others) assert.equal(readFormPageMessage(other), null, JSON.stringify(other))
})
