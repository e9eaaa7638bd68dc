// spec: DK forms
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evaluateRule, isRule, type Rule } from '@atrium/contract/forms/rules.ts'
import fc from 'fast-check'
import { i18n } from '../../../ui/text/i18n.ts'
import { effectLabels } from './condition-labels.ts'
import {
  type Condition,
  type ConditionGroup,
  type ConditionPart,
  isGroup,
  operators,
  readRule,
  takesList,
  takesNoValue,
  writeRule,
} from './condition-text.ts'

describe('a condition', () => {
  const cases: [Condition, Rule][] = [
    [{ field: 'age', operator: 'more', value: '17' }, { '>': [{ var: 'age' }, '17'] }],
    [{ field: 'name', operator: 'is-not', value: 'x' }, { '!=': [{ var: 'name' }, 'x'] }],
    [{ field: 'kind', operator: 'is-one-of', value: ['a', 'b'] }, { in: [{ var: 'kind' }, ['a', 'b']] }],
    [{ field: 'kind', operator: 'is-none-of', value: ['a'] }, { '!': { in: [{ var: 'kind' }, ['a']] } }],
    [{ field: 'kinds', operator: 'has', value: 'a' }, { in: ['a', { var: 'kinds' }] }],
    [{ field: 'kinds', operator: 'lacks', value: 'a' }, { '!': { in: ['a', { var: 'kinds' }] } }],
    [{ field: 'name', operator: 'filled', value: null }, { '!': { missing: ['name'] } }],
    [{ field: 'name', operator: 'empty', value: null }, { missing: ['name'] }],
    [{ field: 'agree', operator: 'ticked', value: null }, { '!!': { var: 'agree' } }],
    [{ field: 'agree', operator: 'unticked', value: null }, { '!': { var: 'agree' } }],
  ]
  for (const [condition, rule] of cases)
    it(`${condition.operator} survives a round trip through its stored rule`, () => {
      const group: ConditionGroup = { joins: 'and', parts: [condition] }
      assert.deepEqual(writeRule(group), rule)
      assert.deepEqual(readRule(rule), group)
    })

  it('is ignored while it is incomplete', () => {
    const parts: Condition[] = [
      { field: '', operator: 'is', value: 'x' },
      { field: 'a', operator: 'is', value: '' },
      { field: 'a', operator: 'is', value: null },
      { field: 'a', operator: 'is-one-of', value: [] },
    ]
    assert.equal(writeRule({ joins: 'or', parts: [...parts, { joins: 'and', parts }] }), null)
  })

  it('is said to apply only as far as it is complete', () => {
    const said = (parts: Condition[]) => {
      const rule = writeRule({ joins: 'and', parts })
      const stored = rule === null ? null : readRule(rule)
      return effectLabels({ stored, without: 'Always shown.', fields: new Map() }, i18n.t)
    }
    const open: Condition = { field: 'country', operator: 'is', value: null }
    assert.equal(said([open]), 'Always shown.')
    assert.equal(said([open, { field: 'age', operator: 'filled', value: null }]), 'age is filled in')
  })

  it('is read from an equivalent notation', () => {
    const filled: ConditionGroup = { joins: 'and', parts: [{ field: 'a', operator: 'filled', value: null }] }
    for (const rule of [{ '!': [{ missing: 'a' }] }, { '!': { missing: ['a'] } }] as Rule[])
      assert.deepEqual(readRule(rule), filled)
    assert.deepEqual(readRule({ '==': [{ var: ['a'] }, 3] }), {
      joins: 'and',
      parts: [{ field: 'a', operator: 'is', value: 3 }],
    })
  })

  it('is null when the editor cannot represent it', () => {
    const beyond: Rule[] = [
      true,
      'a',
      {},
      { if: [{ var: 'a' }, true, false] },
      { '==': [{ var: 'a' }, { var: 'b' }] },
      { '==': [{ var: ['a', 'x'] }, 'y'] },
      { '==': [{ var: 'a.from' }, 'y'] },
      { '<': ['1', { var: 'a' }, '5'] },
      { '!': { and: [{ var: 'a' }] } },
      { and: [] },
      { missing: ['a', 'b'] },
      { some: [{ var: 'a' }, { '==': [{ var: '' }, 'x'] }] },
      { and: [{ or: [{ and: [{ or: [{ '!!': { var: 'a' } }] }] }] }] },
    ]
    for (const rule of beyond) assert.equal(readRule(rule), null, JSON.stringify(rule))
  })
})

const name = fc.constantFrom('a', 'b', 'c', 'flag', 'list')
const value = fc.oneof(fc.constantFrom('x', 'y', '1', '10', '2.5'), fc.integer({ min: -5, max: 20 }), fc.boolean())
const condition: fc.Arbitrary<Condition> = fc
  .record({
    field: name,
    operator: fc.constantFrom(...operators),
    value,
    list: fc.array(value, { minLength: 1, maxLength: 3 }),
  })
  .map(({ field, operator, value: one, list }) => ({
    field,
    operator,
    value: takesNoValue(operator) ? null : takesList(operator) ? list : one,
  }))

/** As in the editor, a nested group holds at least two parts. */
const groupOf = (depth: number): fc.Arbitrary<ConditionGroup> =>
  fc
    .tuple(
      fc.constantFrom<'and' | 'or'>('and', 'or'),
      fc.array<ConditionPart>(depth > 2 ? condition : fc.oneof(condition, groupOf(depth + 1)), {
        minLength: 2,
        maxLength: 3,
      }),
    )
    .map(([joins, parts]) => ({ joins, parts }))

const answers = fc.record({
  a: fc.option(fc.constantFrom('x', 'y', '', '1', '0', '3'), { nil: undefined }),
  b: fc.option(fc.constantFrom('10', '2.50', '-1'), { nil: undefined }),
  c: fc.option(fc.constantFrom('2026-01-31', '12:30'), { nil: undefined }),
  flag: fc.option(fc.boolean(), { nil: undefined }),
  list: fc.option(fc.array(fc.constantFrom('x', 'y', '1')), { nil: undefined }),
})

describe('an edited condition', () => {
  it('survives a round trip and is a valid rule', () => {
    fc.assert(
      fc.property(groupOf(1), (group) => {
        const rule = writeRule(group)
        assert.ok(rule !== null && isRule(rule))
        assert.deepEqual(readRule(JSON.parse(JSON.stringify(rule)) as Rule), group)
      }),
    )
  })

  it('evaluates as its operators describe', () => {
    fc.assert(
      fc.property(groupOf(1), answers, (group, given) => {
        const rule = writeRule(group)
        assert.ok(rule !== null)
        assert.equal(evaluateRule(rule, given), holds(group, given))
      }),
      { numRuns: 500 },
    )
  })

  it('evaluates like the rule that it was read from', () => {
    const leaf = fc.oneof(value, fc.record({ var: name }), fc.record({ var: fc.tuple(name) }), fc.constant(null))
    const rule = fc.letrec<{ rule: Rule }>((tie) => ({
      rule: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc
          .tuple(
            fc.constantFrom('and', 'or', '==', '!=', '<', '>=', 'in', '!', '!!', 'missing'),
            fc.array(fc.oneof(tie('rule'), name), { minLength: 1, maxLength: 3 }),
          )
          .map(([operator, values]) => ({ [operator]: values }) as Rule),
      ),
    })).rule
    fc.assert(
      fc.property(rule, answers, (stored, given) => {
        const group = isRule(stored) ? readRule(stored) : null
        if (!group) return
        const written = writeRule(group)
        assert.ok(written !== null)
        assert.equal(evaluateRule(written, given), evaluateRule(stored, given))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The meaning of each operator, implemented independently of the stored rule. */
function holds(part: ConditionPart, given: Record<string, unknown>): boolean {
  if (isGroup(part))
    return part.joins === 'and'
      ? part.parts.every((each) => holds(each, given))
      : part.parts.some((each) => holds(each, given))
  const { field, operator, value: wanted } = part
  const answer = given[field]
  const isFilled = answer !== undefined && answer !== '' && !(Array.isArray(answer) && answer.length === 0)
  if (operator === 'filled' || operator === 'empty') return isFilled === (operator === 'filled')
  if (operator === 'ticked' || operator === 'unticked')
    return (
      (isFilled && answer !== false && !(Number(answer) === 0 && !Array.isArray(answer))) === (operator === 'ticked')
    )
  if (operator === 'is-one-of') return evaluateRule({ in: [answer, wanted] as Rule[] }, {})
  if (operator === 'is-none-of') return !evaluateRule({ in: [answer ?? null, wanted] as Rule[] }, {})
  const rule = (sign: string) => evaluateRule({ [sign]: [answer ?? null, wanted] } as Rule, {})
  if (operator === 'has' || operator === 'lacks')
    return evaluateRule({ in: [wanted, answer ?? null] as Rule[] }, {}) === (operator === 'has')
  const signs = { is: '==', 'is-not': '!=', more: '>', 'at-least': '>=', less: '<', 'at-most': '<=' }
  return rule(signs[operator])
}
