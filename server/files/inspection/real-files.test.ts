import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { realPackages } from '../../../tests/fixtures/files/real-packages.ts'
import { realPdfs } from '../../../tests/fixtures/files/real-pdfs.ts'
import { realPictures } from '../../../tests/fixtures/files/real-pictures.ts'
import { realTables } from '../../../tests/fixtures/files/real-tables.ts'
import { bytesOf, joinPieces } from '../file-bytes.ts'
import { inspectFile } from './inspect.ts'

const { extensions } = uploadPurposes.document

/** Files as phones, scanners, office programs and banks write them: each is accepted as its type or refused for its own reason. */
describe('a real file', () => {
  const files = [...realPdfs(), ...realPictures(), ...realPackages(), ...realTables()]

  it('has at least two hundred distinct samples', () => {
    assert.ok(files.length >= 200, String(files.length))
    assert.equal(new Set(files.map(({ name }) => name)).size, files.length)
  })

  for (const { name, called, content, expected } of files) {
    it(`gives ${expected}: ${name}, named .${called}`, async () => {
      const bytes = bytesOf(content)
      const found = await inspectFile(bytes, called, extensions)
      if ('problem' in found) {
        const known = 'found' in found ? `${found.problem} ${found.found}` : found.problem
        return assert.equal(known, expected)
      }
      assert.equal(found.extension, expected)
      // The stored result is a complete file: inspecting it again cuts nothing more.
      const stored = await joinPieces(bytes, found.pieces)
      const again = await inspectFile(bytesOf(stored), found.extension)
      assert.ok(!('problem' in again))
      assert.ok((await joinPieces(bytesOf(stored), again.pieces)).equals(stored))
    })
  }
})
