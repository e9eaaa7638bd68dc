import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import { cutPage, readMark, readTimeMark, writeMark } from './page-mark.ts'

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

test('refuses a cursor of a time that is no number of milliseconds', () => {
  const id = newId()
  assert.deepEqual(readTimeMark(writeMark({ value: '1700000000000', id })), { at: new Date(1_700_000_000_000), id })
  for (const value of ['', '1e3', '-1', '1.5', '1'.repeat(16)])
    assert.throws(() => readTimeMark(writeMark({ value, id })), Refusal, value)
})

test('cuts a page from one row more than the limit, and links only to pages that exist', () => {
  const page = (rows: number[], asked: { after?: string; before?: string } = {}) => {
    const cut = cutPage(rows, { limit: 2, ...asked }, (row) => ({ value: String(row), id: newId() }))
    const valueAt = (mark: string | null) => mark && readMark(mark).value
    return [cut.rows, valueAt(cut.previous), valueAt(cut.next)]
  }
  assert.deepEqual(page([]), [[], null, null])
  assert.deepEqual(page([1, 2]), [[1, 2], null, null])
  assert.deepEqual(page([1, 2, 3]), [[1, 2], null, '2'])
  assert.deepEqual(page([3, 4, 5], { after: 'two' }), [[3, 4], '3', '4'])
  assert.deepEqual(page([5], { after: 'four' }), [[5], '5', null])
  assert.deepEqual(page([], { after: 'five' }), [[], null, null])
  assert.deepEqual(page([4, 3, 2], { before: 'five' }), [[3, 4], '3', '4'])
  assert.deepEqual(page([2, 1], { before: 'three' }), [[1, 2], null, '2'])
  assert.deepEqual(page([], { before: 'one' }), [[], null, null])
})
