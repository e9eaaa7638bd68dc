/** Exact numbers for rules and formulas, with bounded digits so that no calculation takes long. */

import Big from 'big.js'

const wholeDigitsMax = 40
const decimalsMax = 30

/** Own settings, independent of the global ones of big.js. */
const Exact = Big()
Exact.DP = decimalsMax
Exact.RM = Big.roundHalfUp

export type ExactNumber = Big

/** Reads a JSON number or decimal text; null for anything else. */
export function exactOf(value: unknown): ExactNumber | null {
  if (value instanceof Exact) return value
  if (typeof value === 'number') return Number.isFinite(value) ? bounded(new Exact(`${value}`)) : null
  const isNumber = typeof value === 'string' && /^-?[0-9]{1,20}(?:\.[0-9]{1,18})?$/.test(value)
  return isNumber ? new Exact(value) : null
}

export function bounded(value: ExactNumber): ExactNumber | null {
  if (value.e >= wholeDigitsMax) return null
  return value.c.length - value.e > decimalsMax ? value.round(decimalsMax) : value
}

export function divided(left: ExactNumber, right: ExactNumber): ExactNumber | null {
  return right.eq(0) ? null : bounded(left.div(right))
}

export function remainder(left: ExactNumber, right: ExactNumber): ExactNumber | null {
  return right.eq(0) ? null : bounded(left.mod(right))
}

/** Multiplies factor by factor, so that it stops as soon as the result is too large. */
export function power(base: ExactNumber, exponent: number): ExactNumber | null {
  let result: ExactNumber | null = new Exact(1)
  for (let turn = 0; turn < Math.abs(exponent) && result; turn += 1) result = bounded(result.times(base))
  if (!result || exponent >= 0) return result
  return divided(new Exact(1), result)
}
