import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeFieldSearch } from './office-fields.ts'

describe('makeFieldSearch', () => {
  it('carries only the end of a text without fields', (test) => {
    const lengths: number[] = []
    const { lastIndexOf } = String.prototype
    test.mock.method(String.prototype, 'lastIndexOf', function (this: string, ...given: [string]) {
      lengths.push(this.length)
      return lastIndexOf.apply(this, given)
    })
    const search = makeFieldSearch()
    for (let at = 0; at < 20; at += 1) search(Buffer.alloc(1_000, 'a'))
    assert.equal(Math.max(...lengths), 1_200)
  })
})
