// spec: MP 2.2, MP 7, AO 7
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readFrameSearch } from './frame-search.ts'

const id = '0192f3aa-0000-7000-8000-000000000001'
const read = (search: string) => readFrameSearch(new URLSearchParams(search))

it('reads the query string of a framed form, and omits invalid values', () => {
  assert.deepEqual(read(`form=${id.toUpperCase()}&dark=1&members-portal=1&id=anybody`), {
    formId: id,
    scheme: 'dark',
    isInPortal: true,
  })
  assert.deepEqual(read(`form=${id}&dark=0`), { formId: id, scheme: 'light', isInPortal: false })
  assert.deepEqual(read('form=../../home&dark=maybe'), { formId: null, scheme: undefined, isInPortal: false })
  assert.equal(read('').formId, null)
})
