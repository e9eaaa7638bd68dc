import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { hostileOthers } from '../../../tests/fixtures/files/hostile-others.ts'
import { hostilePdfs } from '../../../tests/fixtures/files/hostile-pdfs.ts'
import { bytesOf } from '../file-bytes.ts'
import { inspectFile } from './inspect.ts'

/** Each file is refused for its intended reason, not because of another defect. */
describe('a hostile file', () => {
  const files = [...hostilePdfs(), ...hostileOthers()]

  it('has at least sixty distinct samples', () => {
    assert.ok(files.length >= 60, String(files.length))
    assert.equal(new Set(files.map(({ name, called }) => `${name} ${called}`)).size, files.length)
  })

  for (const { name, called, content, expected } of files) {
    it(`is refused as ${expected}: ${name}, named .${called}`, async () => {
      const found = await inspectFile(bytesOf(content), called, uploadPurposes.document.extensions)
      assert.ok('problem' in found, 'it was accepted')
      assert.equal('found' in found ? `${found.problem} ${found.found}` : found.problem, expected)
    })
  }
})
