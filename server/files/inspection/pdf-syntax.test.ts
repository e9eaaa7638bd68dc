import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PdfCutShort, PdfSyntax } from './pdf-syntax.ts'

/** Places the bytes at every position within a word of memory. */
function* placed(bytes: Buffer): Iterable<Buffer> {
  for (let shift = 0; shift < 8; shift += 1) yield Buffer.concat([Buffer.alloc(shift), bytes]).subarray(shift)
}

describe('a comment of a PDF', () => {
  it('ends with its line, wherever that ends', () => {
    for (const end of ['\n', '\r', '\r\n'])
      for (let length = 0; length < 20; length += 1)
        for (const bytes of placed(Buffer.from(`%${'x'.repeat(length)}${end}7 %y`, 'latin1'))) {
          const syntax = new PdfSyntax(bytes, 0, true)
          assert.deepEqual(syntax.readTop(), { kind: 'number', number: 7 })
          assert.equal(syntax.start, 1 + length + end.length)
          assert.equal(syntax.readTop(), null)
        }
  })

  it('holds every other byte', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const ends = byte === 10 || byte === 13
      for (let at = 0; at < 9; at += 1) {
        const comment = Buffer.alloc(9, 0x80).fill(byte, at, at + 1)
        for (const bytes of placed(Buffer.concat([Buffer.from('%'), comment, Buffer.from('\n7 ')])))
          assert.equal(new PdfSyntax(bytes, 0, true).readTop()?.kind, ends && at < 8 ? 'word' : 'number', `${byte}`)
      }
    }
  })

  it('is read again from its start when it continues behind the bytes in memory', () => {
    for (const bytes of placed(Buffer.from('7 %a\n  %bcdefghij'))) {
      const syntax = new PdfSyntax(bytes, 0, false)
      syntax.readTop()
      assert.throws(() => syntax.readTop(), PdfCutShort)
      assert.equal(syntax.start, 7)
      assert.equal(new PdfSyntax(bytes, 7, true).readTop(), null)
    }
  })
})
