import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toCsv } from './csv.ts'

const lineOf = (value: string | number | null) =>
  toCsv([[value]])
    .replace('\ufeff', '')
    .replace(/\r\n$/, '')

describe('a cell of an export', () => {
  for (const value of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '\n=cmd|x',
    '=HYPERLINK("https://evil.test")',
    '＝1+1',
    '＠SUM(A1)',
  ])
    test(`cannot be a formula: ${JSON.stringify(value)}`, () =>
      assert.ok(/^"?'/.test(lineOf(value)), JSON.stringify(lineOf(value))))

  for (const [value, text] of [
    ['Mara', 'Mara'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    [null, ''],
    [7, '7'],
    ['a=b', 'a=b'],
    ['a; b', '"a; b"'],
    // A program that separates by semicolons reads the rest as a cell of its own.
    ['Mara;=1+1', `"Mara;'=1+1"`],
    ['Mara; "@SUM(A1)', `"Mara; ""'@SUM(A1)"`],
    ['Mara\t＋1', "Mara\t'＋1"],
  ] as const)
    test(`stays itself: ${JSON.stringify(value)}`, () => assert.equal(lineOf(value), text))

  test('stands in lines that begin with what Excel knows UTF-8 by', () => {
    assert.equal(
      toCsv([
        ['a', 1],
        ['ж', null],
      ]),
      '\ufeffa,1\r\nж,\r\n',
    )
  })
})
