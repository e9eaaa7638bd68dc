import type { Rule } from '@atrium/contract/forms/rules.ts'

/** The comparison operators that staff can choose. Each maps to one form of JSON Logic. */
export const operators = [
  'is',
  'is-not',
  'is-one-of',
  'is-none-of',
  'has',
  'lacks',
  'more',
  'at-least',
  'less',
  'at-most',
  'filled',
  'empty',
  'ticked',
  'unticked',
] as const
export type Operator = (typeof operators)[number]

export type ConditionValue = string | number | boolean
export type Condition = { field: string; operator: Operator; value: ConditionValue | ConditionValue[] | null }
export type ConditionGroup = { joins: 'and' | 'or'; parts: ConditionPart[] }
export type ConditionPart = Condition | ConditionGroup

/** Deeper groups are hard to read, so they are shown as JSON. */
export const groupDepthMax = 3

export const isGroup = (part: ConditionPart): part is ConditionGroup => 'joins' in part

export const takesNoValue = (operator: Operator): boolean =>
  ['filled', 'empty', 'ticked', 'unticked'].includes(operator)
export const takesList = (operator: Operator): boolean => operator === 'is-one-of' || operator === 'is-none-of'

const comparisons = { is: '==', 'is-not': '!=', more: '>', 'at-least': '>=', less: '<', 'at-most': '<=' } as const

/** The stored rule; null when there is no complete condition, so that the field is always shown. Incomplete parts are skipped. */
export function writeRule(group: ConditionGroup): Rule | null {
  const rules = group.parts.map((part) => (isGroup(part) ? writeRule(part) : writeCondition(part)))
  const said = rules.filter((rule) => rule !== null)
  const [only] = said
  if (only === undefined) return null
  return said.length === 1 ? only : ({ [group.joins]: said } as Rule)
}

export function isComplete({ field, operator, value }: Condition): boolean {
  if (field === '') return false
  if (takesNoValue(operator)) return true
  return takesList(operator) ? Array.isArray(value) && value.length > 0 : isValue(value) && value !== ''
}

function writeCondition(condition: Condition): Rule | null {
  const { field, operator, value } = condition
  if (!isComplete(condition)) return null
  const answer = { var: field }
  // `missing` tests presence: a zero and an unticked box are answers, although both are falsy.
  if (operator === 'filled') return { '!': { missing: [field] } }
  if (operator === 'empty') return { missing: [field] }
  if (operator === 'ticked') return { '!!': answer }
  if (operator === 'unticked') return { '!': answer }
  if (operator === 'has') return { in: [value, answer] } as Rule
  if (operator === 'lacks') return { '!': { in: [value, answer] } } as Rule
  if (operator === 'is-one-of') return { in: [answer, value] } as Rule
  if (operator === 'is-none-of') return { '!': { in: [answer, value] } } as Rule
  return { [comparisons[operator]]: [answer, value] } as Rule
}

/** Null for a rule that the editor cannot represent; it is then edited as JSON and not altered. */
export function readRule(rule: Rule): ConditionGroup | null {
  const part = readPart(rule, 1)
  if (part === null) return null
  return isGroup(part) ? part : { joins: 'and', parts: [part] }
}

function readPart(rule: unknown, depth: number): ConditionPart | null {
  const found = onlyEntry(rule)
  if (!found) return null
  const [operator, values] = found
  if (operator === 'and' || operator === 'or') {
    if (!Array.isArray(values) || values.length === 0 || depth > groupDepthMax) return null
    const parts = values.map((value) => readPart(value, depth + 1))
    return parts.every((part) => part !== null) ? { joins: operator, parts } : null
  }
  if (operator === '!!' || operator === '!') return readUnary(values, operator === '!')
  if (operator === 'missing') return readMissing(values, 'empty')
  if (operator === 'in') return readMembership(values, { of: 'is-one-of', within: 'has' })
  return readComparison(operator, values)
}

/** Reads an operator with one argument, which may be wrapped in a list. */
function readUnary(values: unknown, isNegated: boolean): Condition | null {
  const value = Array.isArray(values) && values.length === 1 ? (values[0] as unknown) : values
  const field = fieldOf(value)
  if (field !== null) return { field, operator: isNegated ? 'unticked' : 'ticked', value: null }
  const inner = onlyEntry(value)
  if (inner?.[0] === 'missing') return readMissing(inner[1], isNegated ? 'filled' : 'empty')
  const isDenied = isNegated && inner?.[0] === 'in'
  return isDenied ? readMembership(inner[1], { of: 'is-none-of', within: 'lacks' }) : null
}

function readMissing(names: unknown, operator: 'filled' | 'empty'): Condition | null {
  const name = Array.isArray(names) && names.length === 1 ? (names[0] as unknown) : names
  return isName(name) ? { field: name, operator, value: null } : null
}

function readMembership(values: unknown, as: { of: Operator; within: Operator }): Condition | null {
  if (!Array.isArray(values) || values.length !== 2) return null
  const [first, second] = values as [unknown, unknown]
  const [needle, list] = [fieldOf(first), fieldOf(second)]
  if (needle !== null && Array.isArray(second) && second.length > 0 && second.every(isValue))
    return { field: needle, operator: as.of, value: second }
  return list !== null && isValue(first) && first !== '' ? { field: list, operator: as.within, value: first } : null
}

function readComparison(sign: string, values: unknown): Condition | null {
  const operator = operators.find((name) => Object.hasOwn(comparisons, name) && signOf(name) === sign)
  if (!operator || !Array.isArray(values) || values.length !== 2) return null
  const [field, value] = [fieldOf(values[0]), values[1] as unknown]
  return field !== null && isValue(value) && value !== '' ? { field, operator, value } : null
}

const signOf = (name: Operator): string | undefined => (comparisons as Partial<Record<Operator, string>>)[name]

const isValue = (value: unknown): value is ConditionValue => ['string', 'number', 'boolean'].includes(typeof value)

/** The name of a plain field reference; null for a path into an answer or a reference with a default. */
function fieldOf(value: unknown): string | null {
  const found = onlyEntry(value)
  if (found?.[0] !== 'var') return null
  const path = Array.isArray(found[1]) && found[1].length === 1 ? (found[1][0] as unknown) : found[1]
  return isName(path) ? path : null
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value)

function onlyEntry(value: unknown): [string, unknown] | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const entries = Object.entries(value)
  return entries.length === 1 ? (entries[0] ?? null) : null
}
