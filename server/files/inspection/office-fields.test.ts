import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeFieldSearch } from './office-fields.ts'

const instruction = (text: string) => Buffer.from(`<w:fldChar/><w:instrText>${text}</w:instrText>`)

describe('makeFieldSearch', () => {
  /** A search in quadratic time takes seconds for each of them, and so exceeds the limit of the runner. */
  for (const name of ['RD', 'INCLUDEPICTURE', 'LINK Excel.Sheet.12'])
    it(`reads three hundred instructions with many blanks in linear time: ${name}`, () => {
      const search = makeFieldSearch()
      const chunk = instruction(`${name}${' '.repeat(60_000)}x`)
      for (let at = 0; at < 300; at += 1) assert.equal(search(chunk), null)
    })

  it('refuses a name with more switches than Word has', () => {
    const search = makeFieldSearch()
    assert.equal(search(instruction(`RD ${'\\RD '.repeat(15_000)}`)), 'office-remote')
  })

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
