import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvLine } from './csv.ts'

const cellOf = (text: string | number) => csvLine([text]).slice(0, -2)

describe('a cell of a table for spreadsheets', () => {
  for (const [text, cell] of [
    ['Hart', 'Hart'],
    ['Hart, Amelia', '"Hart, Amelia"'],
    ['a "b"', '"a ""b"""'],
    ['a\nb', '"a\nb"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("https://evil.test","x")', '"\'=HYPERLINK(""https://evil.test"",""x"")"'],
    ['', ''],
  ] as const)
    it(JSON.stringify(text), () => assert.equal(cellOf(text), cell))
})
