import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uploadPurposes } from '@atrium/contract/files.ts'
import { texts } from '@atrium/contract/texts.ts'
import { fileProblem } from './file-rules.ts'

describe('a receipt before it is sent', () => {
  for (const [name, size, text] of [
    ['slip.png', 1, null],
    ['SLIP.PDF', 5_000_000, null],
    ['slip.pdf', 5_000_001, texts.fileTooLarge],
    ['slip.pdf', 0, texts.fileEmpty],
    ['slip.exe', 10, texts.fileTypes],
    ['slip.pdf.exe', 10, texts.fileTypes],
    ['pdf', 10, texts.fileTypes],
  ] as const)
    it(`${name} of ${size} bytes`, () =>
      assert.equal(fileProblem({ name, size }, uploadPurposes.receipt)?.text ?? null, text))
})
