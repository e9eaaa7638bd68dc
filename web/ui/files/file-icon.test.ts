// spec: AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { IconFileText, IconFileTypeDocx, IconFileTypePdf, IconFileTypeXls } from '@tabler/icons-react'
import { fileIcon } from './file-icon.ts'

describe('the icon of a file', () => {
  for (const [name, sheet] of [
    ['receipt.pdf', IconFileTypePdf],
    ['RECEIPT.PDF', IconFileTypePdf],
    ['letter.docx', IconFileTypeDocx],
    ['balances.xlsx', IconFileTypeXls],
    ['notes.csv', IconFileText],
    ['pdf', IconFileText],
  ] as const)
    it(`picks the icon for ${name}`, () => assert.equal(fileIcon(`/private/files/1/${name}`), sheet))
})
