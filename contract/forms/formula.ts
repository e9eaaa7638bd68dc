import { type FormulaToken, formulaTokens, validateFormula } from '../validators/numbers.ts'
import { bounded, divided, type ExactNumber, exactOf, power, remainder } from './exact.ts'
import { formLimits } from './form-limits.ts'
import type { StepsLeft } from './rules.ts'

/** A parsed formula: a number, a field, or an operation. */
export type Formula =
  | { number: ExactNumber }
  | { field: string }
  | { negated: Formula }
  | { operator: string; left: Formula; right: Formula }

type Reader = { tokens: readonly FormulaToken[]; at: number }

/** Null for invalid text (see `validateFormula`) and for an empty one. */
export function readFormula(text: string): Formula | null {
  const tokens = validateFormula(text) === null ? formulaTokens(text.trim()) : null
  return tokens && tokens.length > 0 ? readSum({ tokens, at: 0 }) : null
}

function readSum(reader: Reader): Formula {
  return readChain(reader, ['+', '-'], () => readChain(reader, ['*', '/', '%'], () => readSigned(reader)))
}

function readChain(reader: Reader, operators: readonly string[], readPart: () => Formula): Formula {
  let left = readPart()
  for (
    let token = reader.tokens[reader.at];
    token && operators.includes(token.text);
    token = reader.tokens[reader.at]
  ) {
    reader.at += 1
    left = { operator: token.text, left, right: readPart() }
  }
  return left
}

/** A minus binds less tightly than a power: -2 ^ 2 is -4. */
function readSigned(reader: Reader): Formula {
  let isNegative = false
  while (reader.tokens[reader.at]?.kind === 'minus') {
    isNegative = !isNegative
    reader.at += 1
  }
  const value = readPower(reader)
  return isNegative ? { negated: value } : value
}

/** Right-associative: 2 ^ 3 ^ 2 is 2 ^ 9. */
function readPower(reader: Reader): Formula {
  const base = readValue(reader)
  if (reader.tokens[reader.at]?.text !== '^') return base
  reader.at += 1
  return { operator: '^', left: base, right: readSigned(reader) }
}

function readValue(reader: Reader): Formula {
  const token = reader.tokens[reader.at]
  reader.at += 1
  if (token?.kind === 'open') {
    const inner = readSum(reader)
    reader.at += 1
    return inner
  }
  const number = exactOf(token?.text)
  return number ? { number } : { field: token?.text ?? '' }
}

/** The fields whose numbers a formula needs. */
export function fieldsOfFormula(formula: Formula): string[] {
  const found = new Set<string>()
  const visit = (part: Formula): void => {
    if ('field' in part) found.add(part.field)
    if ('negated' in part) visit(part.negated)
    if ('operator' in part) {
      visit(part.left)
      visit(part.right)
    }
  }
  visit(formula)
  return [...found]
}

/**
 * The exact result as decimal text, rounded once at the end, halves away from zero. A field without an answer counts as 0; the result
 * is null if no field has an answer, after a division by zero, and if the value exceeds the numbers that an answer may hold.
 */
export function evaluateFormula(
  formula: Formula,
  answers: Readonly<Record<string, unknown>>,
  { decimals = formLimits.formulaDecimals, all = { left: formLimits.stepsOfAllMax } }: FormulaOptions = {},
): string | null {
  const names = fieldsOfFormula(formula)
  const given = new Map(names.map((name) => [name, numberOf(answers, name)]))
  if (names.length > 0 && [...given.values()].every((value) => value === undefined)) return null
  const allowed = Math.min(formLimits.stepsOfOneMax, all.left)
  const run: Run = { left: allowed, given }
  const result = calculate(formula, run)?.round(decimals)
  all.left -= allowed - Math.max(run.left, 0)
  if (!result || run.left < 0 || result.e >= 20) return null
  // Without trailing zeros, and never "-0".
  return result.eq(0) ? '0' : result.toFixed()
}

/** `decimals` of the result; `all` is the step budget left for the whole form. */
export type FormulaOptions = { decimals?: number; all?: StepsLeft }

type Run = { left: number; given: ReadonlyMap<string, ExactNumber | null | undefined> }

/** Undefined without an answer, null if the answer is not a number. A ticked box is 1, yes is 1. */
function numberOf(answers: Readonly<Record<string, unknown>>, name: string): ExactNumber | null | undefined {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  if (answer === undefined || answer === null || answer === '') return undefined
  if (answer === true || answer === 'yes') return exactOf(1)
  if (answer === false || answer === 'no') return exactOf(0)
  return exactOf(answer)
}

function calculate(formula: Formula, run: Run): ExactNumber | null {
  run.left -= 1
  if (run.left < 0) return null
  if ('number' in formula) return formula.number
  if ('field' in formula) {
    const value = run.given.get(formula.field)
    return value === undefined ? exactOf(0) : value
  }
  if ('negated' in formula) return calculate(formula.negated, run)?.neg() ?? null
  const left = calculate(formula.left, run)
  const right = left && calculate(formula.right, run)
  return left && right ? operate(formula.operator, left, right, run) : null
}

function operate(operator: string, left: ExactNumber, right: ExactNumber, run: Run): ExactNumber | null {
  if (operator === '+') return bounded(left.plus(right))
  if (operator === '-') return bounded(left.minus(right))
  if (operator === '*') return bounded(left.times(right))
  if (operator === '/') return divided(left, right)
  if (operator === '%') return remainder(left, right)
  if (!right.eq(right.round(0)) || right.abs().gt(formLimits.exponentMax)) return null
  const exponent = right.toNumber()
  run.left -= 4 * Math.abs(exponent)
  return run.left < 0 ? null : power(left, exponent)
}
