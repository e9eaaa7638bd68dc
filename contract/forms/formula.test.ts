import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evaluateFormula, fieldsOfFormula, readFormula } from './formula.ts'

const answers = { a: '2', b: '3', third: '0.1', ticked: true, no: 'no', word: 'plenty', large: '99999999999999999999' }

function resultOf(text: string, decimals?: number): string | null {
  const formula = readFormula(text)
  assert.ok(formula, text)
  return evaluateFormula(formula, answers, decimals === undefined ? {} : { decimals })
}

const cases: [formula: string, result: string | null, decimals?: number][] = [
  ['1', '1'],
  ['0.1 + 0.2', '0.3'],
  ['12345678901234567.11 + 0.22', '12345678901234567.33'],
  ['{a} + b', '5'],
  ['2 + 3 * 4', '14'],
  ['(2 + 3) * 4', '20'],
  ['10 - 4 - 3', '3'],
  ['100 / 10 / 2', '5'],
  ['7 % 4 * 2', '6'],
  ['2 ^ 3 ^ 2', '512'],
  ['-2 ^ 2', '-4'],
  ['(-2) ^ 2', '4'],
  ['2 ^ -2', '0.25'],
  ['--{a}', '2'],
  ['1 - -1', '2'],
  ['a * -b', '-6'],
  ['10 / 4', '2.5'],
  ['1 / 3', '0.3333333333'],
  ['1 / 3', '0.33', 2],
  ['2 / 3 * 3', '2'],
  ['0.005 * 1', '0.01', 2],
  ['-0.005 * 1', '-0.01', 2],
  ['1.005 * 100', '101', 0],
  ['2.50 * 1', '2.5', 2],
  ['0 * -1', '0'],
  ['-0.001 * 1', '0', 2],
  ['ticked + no', '1'],
  ['{a} + {absent}', '2'],
  ['{a} * {absent}', '0'],
  ['{absent} + 1', null],
  ['{absent}', null],
  ['1 / 0', null],
  ['a % (b - 3)', null],
  ['a / {absent}', null],
  ['a + word', null],
  ['2 ^ 0.5', null],
  ['2 ^ 65', null],
  ['large + 1', null],
  ['large * large * large / large / large', null],
  ['large - 1', '99999999999999999998'],
  ['{__proto__} + {a}', '2'],
  ['constructor + {a}', '2'],
]

describe('a formula', () => {
  for (const [formula, result, decimals] of cases)
    it(`${formula} = ${result}${decimals === undefined ? '' : `, ${decimals} decimals`}`, () =>
      assert.equal(resultOf(formula, decimals), result))

  for (const text of ['', ' ', '1 +', '(1', '1)', 'a b', '1..2', 'alert("x")', '+1', '2 ** 3', `${'('.repeat(40)}1`])
    it(`rejects ${JSON.stringify(text).slice(0, 30)}`, () => assert.equal(readFormula(text), null))

  it('lists the fields that it uses, each once', () => {
    const formula = readFormula('{a} * (b - a) / -{c} ^ 2')
    assert.deepEqual(formula && fieldsOfFormula(formula), ['a', 'b', 'c'])
  })

  it('takes at most a thousand steps, and a power takes one per multiplication', () => {
    assert.equal(resultOf(Array.from({ length: 250 }, () => '1').join('+')), '250')
    assert.equal(resultOf(Array.from({ length: 5 }, () => '1^64').join('*')), null)
    assert.equal(resultOf(Array.from({ length: 3 }, () => '1^64').join('*')), '1')
    const formula = readFormula('1 + 1')
    assert.equal(formula && evaluateFormula(formula, {}, { all: { left: 2 } }), null)
  })

  it('evaluates up to the maximum length and nesting', () => {
    assert.equal(resultOf(`${'('.repeat(32)}1${')'.repeat(32)}`), '1')
    assert.equal(resultOf(`${'-'.repeat(998)}a`), '2')
    assert.equal(resultOf(Array.from({ length: 500 }, () => '1').join('^')), null)
  })
})
