import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvLine } from './csv.ts'

const cellOf = (text: string | number | null) => csvLine([text]).slice(0, -2)

describe('a CSV cell', () => {
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
    [null, ''],
    [7, '7'],
    [-7, '-7'],
    ['\r=1', `"'\r'=1"`],
    ['\n=cmd|x', `"'\n'=cmd|x"`],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a=b', 'a=b'],
    ['a; b', '"a; b"'],
    // A program that uses semicolons as separators reads the rest as a cell.
    ['Mara;=1+1', `"Mara;'=1+1"`],
    ['Mara; "@SUM(A1)', `"Mara; ""'@SUM(A1)"`],
    ['Mara\t＋1', "Mara\t'＋1"],
    // It also ends a row at a line break, since it does not see quotes within a cell.
    ['Mara\n=1+1', `"Mara\n'=1+1"`],
    ['Mara\r\n "@SUM(A1)', `"Mara\r\n ""'@SUM(A1)"`],
    ['Mara\n\n-1', `"Mara\n\n'-1"`],
    ['Mara\na - b', '"Mara\na - b"'],
  ] as const)
    it(JSON.stringify(text), () => assert.equal(cellOf(text), cell))
})
