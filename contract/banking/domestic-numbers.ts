import { isSameSystem } from '../validators/bank.ts'

/** National bank numbers that carry a check digit: with one wrong digit, a payout comes back or reaches somebody else. */

/** The sum of the digits by their weights, the check digit included, ends in a zero. */
const isChecked = (digits: string, weights: readonly number[]): boolean =>
  [...digits].reduce((sum, digit, at) => sum + Number(digit) * (weights[at % weights.length] ?? 0), 0) % 10 === 0

const of371 = [3, 7, 1]

/** An ABA number of a bank in the USA or its territories. Other countries' routing numbers have no check digit. */
export function isRoutingNumber(country: string, number: string): boolean {
  return !isSameSystem(country, 'US') || (/^[0-9]{9}$/.test(number) && /[1-9]/.test(number) && isChecked(number, of371))
}

type Rule = { shape: RegExp; isRight(digits: string): boolean }

const rules: Readonly<Record<string, Rule>> = {
  // A CBU: bank and branch, then the account. What begins with zeros is a wallet's CVU, without a bank.
  AR: {
    shape: /^(?!000)[0-9]{22}$/,
    isRight: (digits) =>
      isChecked(digits.slice(0, 8), [7, 1, 3, 9, 7, 1, 3, 1]) &&
      isChecked(digits.slice(8), [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1]),
  },
  // A CLABE.
  MX: { shape: /^[0-9]{18}$/, isRight: (digits) => isChecked(digits, of371) },
}

/** False only for a number that has the country's format and the wrong check digit: banks have older numbers beside it. */
export function isDomesticAccount(country: string, number: string): boolean {
  const rule = Object.hasOwn(rules, country) ? rules[country] : undefined
  return !rule?.shape.test(number) || rule.isRight(number)
}
