import Big from 'big.js'

/** Numbers of rules and formulas: exact, and never longer than so many digits, so that no sum of them takes long. */
const wholeDigitsMax = 40
const decimalsKept = 30

/** With settings of its own: what others set for big.js changes nothing here. */
const Exact = Big()
Exact.DP = decimalsKept
Exact.RM = Big.roundHalfUp

export type ExactNumber = Big

/** A number that somebody wrote as such: of JSON, or as decimal text. Null for what is none. */
export function exactOf(value: unknown): ExactNumber | null {
  if (value instanceof Exact) return value
  if (typeof value === 'number') return Number.isFinite(value) ? bounded(new Exact(`${value}`)) : null
  const isNumber = typeof value === 'string' && /^-?[0-9]{1,20}(?:\.[0-9]{1,18})?$/.test(value)
  return isNumber ? new Exact(value) : null
}

export function bounded(value: ExactNumber): ExactNumber | null {
  if (value.e >= wholeDigitsMax) return null
  return value.c.length - value.e > decimalsKept ? value.round(decimalsKept) : value
}

export function divided(left: ExactNumber, right: ExactNumber): ExactNumber | null {
  return right.eq(0) ? null : bounded(left.div(right))
}

export function remainder(left: ExactNumber, right: ExactNumber): ExactNumber | null {
  return right.eq(0) ? null : bounded(left.mod(right))
}

/** As multiplication says it, one factor after another, so that it ends as soon as it grows too large. */
export function power(base: ExactNumber, exponent: number): ExactNumber | null {
  let result: ExactNumber | null = new Exact(1)
  for (let turn = 0; turn < Math.abs(exponent) && result; turn += 1) result = bounded(result.times(base))
  if (!result || exponent >= 0) return result
  return divided(new Exact(1), result)
}
