import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formLimits } from './form-limits.ts'
import { evaluateRule, fieldsOfRule, isRule, type Rule } from './rules.ts'

const answers = {
  moved: 'yes',
  age: '17',
  amount: '0.30',
  nothing: '',
  consent: true,
  refused: false,
  city: 'Bergen',
  since: '2026-03-09',
  sources: ['salary', 'savings'],
  numbers: ['1', '2', '3'],
  period: { from: '2026-01-01', to: '2026-02-01' },
}

const holding: Rule[] = [
  true,
  1,
  'text',
  { var: 'moved' },
  { var: ['moved'] },
  { var: ['absent', 'otherwise'] },
  { '==': [{ var: 'moved' }, 'yes'] },
  { '==': [{ var: 'age' }, 17] },
  { '==': [{ var: 'age' }, '17.0'] },
  { '===': [{ var: 'age' }, 17] },
  { '!=': [{ var: 'age' }, 18] },
  { '!==': [{ var: 'moved' }, 'no'] },
  { '==': [{ var: 'consent' }, true] },
  { '==': [{ var: 'consent' }, 1] },
  { '!==': [{ var: 'consent' }, 1] },
  { '==': [{ var: 'refused' }, null] },
  { '==': [{ var: 'absent' }, null] },
  { '==': [{ var: 'nothing' }, { var: 'absent' }] },
  { '===': [{ var: 'absent' }, ''] },
  { '==': [{ var: 'sources' }, ['salary', 'savings']] },
  { '<': [{ var: 'age' }, 18] },
  { '<': [1, { var: 'age' }, 100] },
  { '<=': [17, { var: 'age' }, 17] },
  { '>': [{ var: 'age' }, 9] },
  { '>=': [{ var: 'age' }, 17] },
  { '<': [{ var: 'since' }, '2026-03-10'] },
  { '<': ['2026-01-01', { var: 'since' }, '2026-12-31'] },
  { '!': { var: 'absent' } },
  { '!': [{ var: 'refused' }] },
  { '!': '0' },
  { '!': [[]] },
  { '!!': [{ var: 'sources' }] },
  { and: [true, 1, { var: 'city' }] },
  { or: [false, 0, '', { var: 'city' }] },
  { if: [{ var: 'absent' }, false, { var: 'moved' }, true, false] },
  { if: [false, false, true] },
  { in: ['salary', { var: 'sources' }] },
  { in: [{ var: 'moved' }, ['yes', 'perhaps']] },
  { in: ['erg', { var: 'city' }] },
  { in: [3, { var: 'numbers' }] },
  { '==': [{ '+': [0.1, 0.2] }, { var: 'amount' }] },
  { '==': [{ '-': [1, 0.9] }, 0.1] },
  { '==': [{ '-': [{ var: 'age' }] }, -17] },
  { '==': [{ '*': [{ var: 'age' }, 2, 2] }, 68] },
  { '==': [{ '/': [{ var: 'amount' }, 3] }, 0.1] },
  { '==': [{ '%': [{ var: 'age' }, 5] }, 2] },
  { '==': [{ '/': [1, 0] }, null] },
  { '==': [{ '+': [1, 'text'] }, null] },
  { '==': [{ min: [3, '2', 5] }, 2] },
  { '==': [{ max: [3, '20', 5] }, 20] },
  { '==': [{ cat: [{ var: 'city' }, ' ', { var: 'age' }] }, 'Bergen 17'] },
  { missing: ['absent', 'moved'] },
  { missing: [['nothing']] },
  { '!': { missing: ['moved'] } },
  { '==': [{ missing: ['moved', 'absent', 'nothing'] }, ['absent', 'nothing']] },
  { some: [{ var: 'sources' }, { '==': [{ var: '' }, 'salary'] }] },
  { all: [{ var: 'numbers' }, { '<': [{ var: '' }, 4] }] },
  { none: [{ var: 'sources' }, { '==': [{ var: '' }, 'crypto'] }] },
  { none: [{ var: 'absent' }, true] },
  { '==': [{ var: 'period.from' }, '2026-01-01'] },
  { '==': [{ var: 'sources.1' }, 'savings'] },
  { '==': [{ var: 'sources.length' }, 2] },
]

const notHolding: Rule[] = [
  false,
  null,
  0,
  '',
  '0.00',
  [],
  { var: 'absent' },
  { var: 'nothing' },
  { '==': [{ var: 'moved' }, 'YES'] },
  { '==': [{ var: 'consent' }, 'true'] },
  { '<': [{ var: 'absent' }, 5] },
  { '>': [{ var: 'absent' }, -5] },
  { '<': [{ var: 'nothing' }, 'z'] },
  { '<': [{ var: 'city' }, 5] },
  { '<': [1, 5, 3] },
  { in: [{ var: 'absent' }, 'text'] },
  { in: ['x', { var: 'absent' }] },
  { in: ['', { var: 'city' }] },
  { all: [[], true] },
  { some: [{ var: 'absent' }, true] },
  { if: [false, true] },
  { '+': [1, -1] },
  { var: '__proto__' },
  { var: '__proto__.toString' },
  { var: 'constructor' },
  { var: 'constructor.name' },
  { var: 'moved.length' },
  { var: 'toString' },
]

/** Invalid rules, which evaluate to false. */
const noRules: unknown[] = [
  undefined,
  { nobody: [1] },
  { __proto__: null, constructor: ['x'] },
  JSON.parse('{"__proto__": [1]}'),
  { toString: [1] },
  { '==': [1, 1], '!=': [1, 2] },
  {},
  { '==': [1] },
  { '==': [1, 1, 1] },
  { var: [{ var: 'moved' }] },
  { missing: [{ var: 'moved' }] },
  { '>': [3, 2, 1] },
  { method: [{ var: 'city' }, 'toUpperCase'] },
  { log: 'x' },
  { map: [[1], true] },
  { reduce: [[1], true, 0] },
  Number.NaN,
  1e300,
  () => true,
  { '!': 'x'.repeat(formLimits.ruleTextCharsMax + 1) },
  Array.from({ length: formLimits.ruleNodesMax }, () => true),
]

describe('a rule', () => {
  for (const rule of holding)
    it(`holds: ${JSON.stringify(rule)}`, () => {
      assert.ok(isRule(rule))
      assert.equal(evaluateRule(rule, answers), true)
      assert.equal(evaluateRule(JSON.parse(JSON.stringify(rule)), answers), true)
    })
  for (const rule of notHolding)
    it(`does not hold: ${JSON.stringify(rule)}`, () => {
      assert.ok(isRule(rule))
      assert.equal(evaluateRule(rule, answers), false)
    })
  for (const [at, rule] of noRules.entries())
    it(`is invalid: ${at} ${JSON.stringify(rule)?.slice(0, 60)}`, () => assert.equal(isRule(rule), false))
})

describe('the limits of a rule', () => {
  const nested = (depth: number): Rule => (depth === 0 ? true : { '!!': [nested(depth - 1)] })

  it('accept the maximum depth and reject more', () => {
    assert.equal(isRule(nested(formLimits.ruleDepthMax)), true)
    assert.equal(isRule(nested(formLimits.ruleDepthMax + 1)), false)
    assert.equal(evaluateRule(nested(formLimits.ruleDepthMax), {}), true)
    assert.equal(evaluateRule(nested(5_000), {}), false)
  })

  it('stop after a thousand steps, even with nested lists', () => {
    const lists = Array.from({ length: 40 }, () => Array.from({ length: 40 }, (_, at) => `${at}`))
    const inner: Rule = { all: [{ var: '' }, { '>=': [{ var: '' }, 0] }] }
    const rule: Rule = { or: [{ all: [{ var: 'lists' }, inner] }, true] }
    const all = { left: formLimits.stepsOfAllMax }
    assert.equal(evaluateRule(rule, { lists: lists.slice(0, 5) }), true)
    assert.equal(evaluateRule(rule, { lists }, all), false)
    assert.ok(formLimits.stepsOfAllMax - all.left <= formLimits.stepsOfOneMax)
  })

  it('charge steps for searching a text by its length', () => {
    const rule: Rule = { or: [{ in: [{ var: 'part' }, { var: 'whole' }] }, true] }
    assert.equal(evaluateRule(rule, { part: 'word', whole: 'a'.repeat(5_000) }), true)
    assert.equal(evaluateRule(rule, { part: `${'a'.repeat(2_500)}b`, whole: 'a'.repeat(5_000) }), false)
  })

  it('make a rule false if the form has no steps left', () => {
    assert.equal(evaluateRule(true, {}, { left: 0 }), false)
  })
})

describe('the fields of a rule', () => {
  const cases: [Rule, string[]][] = [
    [true, []],
    [{ '==': [{ var: 'a' }, { var: ['b', { var: 'c' }] }] }, ['a', 'b', 'c']],
    [{ var: 'period.from' }, ['period']],
    [{ missing: ['a', 'b.c'] }, ['a', 'b']],
    [{ some: [{ var: 'list' }, { '==': [{ var: 'name' }, 1] }] }, ['list']],
    [{ and: [[{ var: 'a' }], { if: [{ var: 'b' }, { var: 'a' }] }] }, ['a', 'b']],
  ]
  for (const [rule, names] of cases)
    it(JSON.stringify(rule), () => assert.deepEqual(fieldsOfRule(rule).toSorted(), names))
})
