// spec: MP 5, AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { kindTexts } from '@atrium/contract/files/kinds.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { fileProblem } from './file-rules.ts'

describe('a file before its upload', () => {
  for (const [name, size, text] of [
    ['slip.png', 1, null],
    ['SLIP.PDF', 5_000_000, null],
    ['slip.pdf', 5_000_001, fileTexts.fileTooLarge],
    ['slip.pdf', 0, fileTexts.fileEmpty],
    ['slip.exe', 10, kindTexts.fileOther],
    ['slip.pdf.exe', 10, kindTexts.fileOther],
    ['IMG_0012.HEIC', 10, kindTexts.filePicture],
    ['statement.docx', 10, kindTexts.fileDocument],
    ['documents.zip', 10, kindTexts.fileArchive],
    ['slip.dat', 10, fileTexts.fileTypes],
    ['pdf', 10, fileTexts.fileTypes],
  ] as const)
    it(`${text === null ? 'is accepted' : 'is refused'}: ${name} of ${size} bytes`, () =>
      assert.equal(fileProblem({ name, size }, uploadPurposes.receipt)?.text ?? null, text))

  it('formats sizes in readable units', () =>
    assert.deepEqual(fileProblem({ name: 'slip.pdf', size: 5_000_001 }, uploadPurposes.receipt)?.values, {
      size: '5 MB',
    }))
  it('recognises the pictures of an iPhone', () =>
    assert.equal(fileProblem({ name: 'a.heic', size: 9 }, uploadPurposes.receipt)?.values.kind, 'a HEIC picture'))
})
