import { bounded, divided, type ExactNumber, exactOf, remainder } from './exact.ts'
import { formLimits } from './form-limits.ts'
import { isStorable } from './storable.ts'

/**
 * A condition in the subset of JSON Logic that forms need (decision 0042). A rule is untrusted data: it reads own properties only,
 * calls only the operators in this list, and ends after a thousand steps.
 */
export type Rule = null | boolean | number | string | readonly Rule[] | { readonly [operator: string]: Rule }

/** Minimum and maximum number of arguments per operator. */
export const ruleOperators: Readonly<Record<string, readonly [min: number, max: number]>> = {
  var: [1, 2],
  '==': [2, 2],
  '!=': [2, 2],
  '===': [2, 2],
  '!==': [2, 2],
  '<': [2, 3],
  '<=': [2, 3],
  '>': [2, 2],
  '>=': [2, 2],
  '!': [1, 1],
  '!!': [1, 1],
  and: [1, 100],
  or: [1, 100],
  if: [1, 101],
  in: [2, 2],
  '+': [1, 100],
  '-': [1, 2],
  '*': [1, 100],
  '/': [2, 2],
  '%': [2, 2],
  min: [1, 100],
  max: [1, 100],
  cat: [1, 100],
  missing: [1, 100],
  some: [2, 2],
  all: [2, 2],
  none: [2, 2],
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A single argument may be written without a list. */
function argumentsOf(value: Rule): readonly Rule[] {
  return Array.isArray(value) ? value : [value as Rule]
}

function operationOf(rule: object): { operator: string; given: readonly Rule[] } | null {
  const names = Object.keys(rule)
  const operator = names[0]
  if (names.length !== 1 || operator === undefined || !Object.hasOwn(ruleOperators, operator)) return null
  return { operator, given: argumentsOf((rule as Record<string, Rule>)[operator] ?? null) }
}

/** Whether a value is a valid rule: known operators, enough arguments, within the limits of depth and size. */
export function isRule(value: unknown): value is Rule {
  const left = { nodes: formLimits.ruleNodesMax }
  return readsAsRule(value, formLimits.ruleDepthMax, left)
}

function readsAsRule(value: unknown, depthLeft: number, left: { nodes: number }): boolean {
  left.nodes -= 1
  if (left.nodes < 0) return false
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return value.length <= formLimits.ruleTextCharsMax && isStorable(value)
  if (typeof value === 'number') return exactOf(value) !== null
  if (depthLeft === 0) return false
  if (Array.isArray(value)) return value.every((entry) => readsAsRule(entry, depthLeft - 1, left))
  if (!isObject(value)) return false
  const operation = operationOf(value)
  if (!operation || !takes(operation)) return false
  return operation.given.every((entry) => readsAsRule(entry, depthLeft - 1, left))
}

/** The fields that a rule reads must be known in advance, so a calculated name is invalid. */
function takes({ operator, given }: { operator: string; given: readonly Rule[] }): boolean {
  const [min, max] = ruleOperators[operator] ?? [0, 0]
  if (given.length < min || given.length > max) return false
  if (operator === 'var') return typeof given[0] === 'string'
  return operator !== 'missing' || namesOf(given) !== null
}

/** Arguments of `missing`: names, or one list of names. */
function namesOf(given: readonly Rule[]): string[] | null {
  const [first] = given
  const names = given.length === 1 && Array.isArray(first) ? first : given
  return names.every((name) => typeof name === 'string') ? [...names] : null
}

/** The fields whose answers a rule reads. Inside `some`, `all` and `none`, `var` reads the list entry. */
export function fieldsOfRule(rule: Rule): string[] {
  const found = new Set<string>()
  collect(rule, found, formLimits.ruleDepthMax)
  return [...found]
}

function collect(rule: Rule, found: Set<string>, depthLeft: number): void {
  if (typeof rule !== 'object' || rule === null || depthLeft === 0) return
  if (Array.isArray(rule)) {
    for (const entry of rule) collect(entry, found, depthLeft - 1)
    return
  }
  const operation = operationOf(rule)
  if (!operation) return
  const { operator, given } = operation
  if (operator === 'missing') for (const name of namesOf(given) ?? []) found.add(fieldIn(name))
  if (operator === 'var' && typeof given[0] === 'string') found.add(fieldIn(given[0]))
  const outside = operator === 'some' || operator === 'all' || operator === 'none' ? given.slice(0, 1) : given
  for (const entry of outside) collect(entry, found, depthLeft - 1)
}

/** `period.from` reads the answer `period`. */
const fieldIn = (path: string): string => path.split('.', 1)[0] ?? ''

type Value = null | boolean | string | ExactNumber | readonly unknown[] | Record<string, unknown>
type Run = { left: number; scope: unknown; depthLeft: number }

/** The step budget left for all rules and formulas of a form. */
export type StepsLeft = { left: number }

/** Whether the rule holds for these answers. Never throws; a rule that takes too many steps is false. */
export function evaluateRule(
  rule: Rule,
  answers: Readonly<Record<string, unknown>>,
  all: StepsLeft = { left: formLimits.stepsOfAllMax },
): boolean {
  const allowed = Math.min(formLimits.stepsOfOneMax, all.left)
  const run: Run = { left: allowed, scope: answers, depthLeft: formLimits.ruleDepthMax + 1 }
  const value = evaluate(rule, run)
  all.left -= allowed - Math.max(run.left, 0)
  return run.left >= 0 && isTrue(value)
}

function evaluate(rule: unknown, run: Run): Value {
  run.left -= 1
  if (run.left < 0 || run.depthLeft === 0) return spent(run)
  if (typeof rule === 'number') return exactOf(rule)
  if (typeof rule !== 'object' || rule === null) return asValue(rule)
  run.depthLeft -= 1
  const value = Array.isArray(rule) ? rule.map((entry) => evaluate(entry, run)) : operate(rule, run)
  run.depthLeft += 1
  return value
}

function spent(run: Run): null {
  run.left = -1
  return null
}

function operate(rule: object, run: Run): Value {
  const operation = operationOf(rule)
  if (!operation) return spent(run)
  const { operator, given } = operation
  if (operator === 'var') return readAnswer(given, run)
  if (operator === 'missing') return (namesOf(given) ?? []).filter((name) => isMissing(readPath(run.scope, name)))
  if (operator === 'and' || operator === 'or') return firstThatEnds(operator, given, run)
  if (operator === 'if') return chosen(given, run)
  if (operator === 'some' || operator === 'all' || operator === 'none') return overList(operator, given, run)
  const values = given.map((entry) => evaluate(entry, run))
  const calculate = Object.hasOwn(calculations, operator) ? calculations[operator] : undefined
  return calculate ? calculate(values, run) : spent(run)
}

function readAnswer([name, otherwise = null]: readonly Rule[], run: Run): Value {
  const found = typeof name === 'string' ? readPath(run.scope, name) : null
  return isMissing(found) ? evaluate(otherwise, run) : found
}

/** Reads own properties only, so never `__proto__` or inherited ones. */
function readPath(scope: unknown, path: string): Value {
  let value = scope
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return asValue(value)
}

function asValue(value: unknown): Value {
  if (value === undefined || value === null || typeof value === 'function' || typeof value === 'symbol') return null
  if (typeof value === 'number' || typeof value === 'bigint') return exactOf(Number(value))
  return value as Value
}

function isMissing(value: Value): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** False are: false, no value, an empty text, an empty list, and zero as a number or decimal text. */
function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value
  return !isMissing(value) && !exactOf(value)?.eq(0)
}

function firstThatEnds(operator: 'and' | 'or', given: readonly Rule[], run: Run): Value {
  let value: Value = null
  for (const entry of given) {
    value = evaluate(entry, run)
    if (isTrue(value) === (operator === 'or')) return value
  }
  return value
}

/** Condition, value, condition, value, and the value otherwise. */
function chosen(given: readonly Rule[], run: Run): Value {
  for (let at = 0; at + 1 < given.length; at += 2)
    if (isTrue(evaluate(given[at], run))) return evaluate(given[at + 1], run)
  return given.length % 2 === 1 ? evaluate(given.at(-1), run) : null
}

function overList(operator: 'some' | 'all' | 'none', [list, rule = null]: readonly Rule[], run: Run): boolean {
  const entries = evaluate(list, run)
  if (!Array.isArray(entries)) return operator === 'none'
  const outside = run.scope
  const holds = (entry: unknown) => {
    run.scope = entry
    return run.left >= 0 && isTrue(evaluate(rule, run))
  }
  const isAny = operator === 'all' ? !entries.every(holds) : entries.some(holds)
  run.scope = outside
  // `all` of an empty list is false.
  if (operator === 'all') return entries.length > 0 && !isAny
  return operator === 'some' ? isAny : !isAny
}

type Calculation = (values: readonly Value[], run: Run) => Value

const calculations: Readonly<Record<string, Calculation>> = {
  '==': ([left, right], run) => isAlike(left, right, run),
  '!=': ([left, right], run) => !isAlike(left, right, run),
  '===': ([left, right], run) => isSame(left, right, run),
  '!==': ([left, right], run) => !isSame(left, right, run),
  '<': (values) => isOrdered(values, (order) => order < 0),
  '<=': (values) => isOrdered(values, (order) => order <= 0),
  '>': (values) => isOrdered(values, (order) => order > 0),
  '>=': (values) => isOrdered(values, (order) => order >= 0),
  '!': ([value = null]) => !isTrue(value),
  '!!': ([value = null]) => isTrue(value),
  in: ([part = null, whole = null], run) => isWithin(part, whole, run),
  '+': (values) => folded(values, (left, right) => left.plus(right)),
  '*': (values) => folded(values, (left, right) => left.times(right)),
  '-': (values) => (values.length === 1 ? negated(values[0]) : folded(values, (left, right) => left.minus(right))),
  '/': (values) => folded(values, divided),
  '%': (values) => folded(values, remainder),
  min: (values) => folded(values, (left, right) => (right.lt(left) ? right : left)),
  max: (values) => folded(values, (left, right) => (right.gt(left) ? right : left)),
  cat: (values) => joined(values),
}

/** Null if any value is not a number; decimal text counts as a number. */
function folded(
  values: readonly Value[],
  join: (left: ExactNumber, right: ExactNumber) => ExactNumber | null,
): ExactNumber | null {
  const numbers = values.map(exactOf)
  return numbers.reduce<ExactNumber | null>((total, next, at) => {
    if (at === 0 || !total || !next) return at === 0 ? next : null
    const joint = join(total, next)
    return joint && bounded(joint)
  }, null)
}

function negated(value: Value | undefined): ExactNumber | null {
  return exactOf(value)?.neg() ?? null
}

const joinedCharsMax = 5_000

function joined(values: readonly Value[]): string {
  let text = ''
  // Stops at the length limit, so that no long text is built.
  for (const value of values) if (text.length < joinedCharsMax) text += textOf(value)
  return text.slice(0, joinedCharsMax)
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return `${value}`
  return exactOf(value)?.toFixed() ?? ''
}

/** Decimal text compares as a number, since answers to number fields are text: 5, "5" and "5.0" are equal. */
function isSame(left: Value = null, right: Value = null, run: Run): boolean {
  if (isMissing(left) || isMissing(right)) return isMissing(left) && isMissing(right)
  const numbers = [exactOf(left), exactOf(right)] as const
  if (numbers[0] && numbers[1]) return numbers[0].eq(numbers[1])
  if (!Array.isArray(left) || !Array.isArray(right)) return typeof left !== 'object' && left === right
  if (left.length !== right.length || !pays(left.length, run)) return false
  return left.every((entry, at) => isSame(asValue(entry), asValue(right[at]), run))
}

/** Like `isSame`, but a ticked box also equals 1, and an unticked one also equals 0 and no value. */
function isAlike(left: Value = null, right: Value = null, run: Run): boolean {
  if (typeof left === 'boolean' && typeof right !== 'boolean') return isFlag(left, right)
  if (typeof right === 'boolean' && typeof left !== 'boolean') return isFlag(right, left)
  return isSame(left, right, run)
}

function isFlag(flag: boolean, other: Value): boolean {
  if (isMissing(other)) return !flag
  return exactOf(other)?.eq(flag ? 1 : 0) ?? false
}

/** Compares numbers by value, and other texts (days, times) alphabetically. No value is neither before nor after another. */
function isOrdered(values: readonly Value[], fits: (order: number) => boolean): boolean {
  return values.slice(1).every((value, at) => {
    const order = orderOf(values[at] ?? null, value)
    return order !== null && fits(order)
  })
}

function orderOf(left: Value, right: Value): number | null {
  const numbers = [exactOf(left), exactOf(right)] as const
  if (numbers[0] && numbers[1]) return numbers[0].cmp(numbers[1])
  if (numbers[0] || numbers[1] || typeof left !== 'string' || typeof right !== 'string') return null
  if (left === '' || right === '') return null
  if (left === right) return 0
  return left < right ? -1 : 1
}

function isWithin(part: Value, whole: Value, run: Run): boolean {
  if (isMissing(part)) return false
  if (Array.isArray(whole)) return pays(whole.length, run) && whole.some((entry) => isSame(part, asValue(entry), run))
  const text = textOf(part)
  // A substring search may compare every position of both texts.
  return typeof whole === 'string' && pays((text.length * whole.length) / 5_000, run) && whole.includes(text)
}

/** Charges work that grows with the compared values as steps. */
function pays(steps: number, run: Run): boolean {
  run.left -= Math.floor(steps)
  if (run.left < 0) spent(run)
  return run.left >= 0
}
