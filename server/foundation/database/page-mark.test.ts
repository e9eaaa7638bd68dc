import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import { readMark, readTimeMark, writeMark } from './page-mark.ts'

test('reads back a cursor as written', () => {
  const mark = { value: 'Ünal 😀', id: newId() }
  assert.deepEqual(readMark(writeMark(mark)), mark)
})

test('refuses a forged cursor before it reaches the database', () => {
  const id = newId()
  const forged = ['\u0000', 'half \ud800', 'x'.repeat(301)].map((value) => writeMark({ value, id }))
  for (const mark of [...forged, writeMark({ value: 'a', id: 'b' }), 'x', '', 'e30'])
    assert.throws(() => readMark(mark), Refusal, mark)
  assert.throws(() => readTimeMark(writeMark({ value: 'tomorrow', id })), Refusal)
})
