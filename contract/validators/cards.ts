import { type ValidationResult, validatorTexts } from './messages.ts'

export const cardBrands = ['amex', 'visa', 'discover', 'mastercard', 'jcb', 'maestro', 'diners'] as const
export type CardBrand = (typeof cardBrands)[number]

const longNames: Readonly<Record<string, CardBrand>> = { americanexpress: 'amex', dinersclub: 'diners' }

/** Maps a provider's spelling ("MasterCard", "American Express") to our brand; null for an unknown brand. */
export function brandNamed(name: string): CardBrand | null {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  const long = Object.hasOwn(longNames, letters) ? longNames[letters] : undefined
  return long ?? cardBrands.find((brand) => brand === letters) ?? null
}

type BrandRule = {
  lengths: readonly number[]
  cvvDigits: number
  /** First and last prefix of each range; as many digits are compared as the prefix has. */
  ranges: readonly (readonly [from: string, to: string])[]
}

const of16 = [16] as const

const brands: Record<CardBrand, BrandRule> = {
  amex: { lengths: [15], cvvDigits: 4, ranges: [same('34'), same('37')] },
  visa: { lengths: of16, cvvDigits: 3, ranges: [same('4')] },
  discover: { lengths: of16, cvvDigits: 3, ranges: [same('6011'), ['644', '649'], same('65'), ['622126', '622925']] },
  mastercard: {
    lengths: of16,
    cvvDigits: 3,
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
  },
  jcb: { lengths: of16, cvvDigits: 3, ranges: [['3528', '3589']] },
  maestro: {
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    cvvDigits: 3,
    ranges: [same('5018'), same('5020'), same('5038'), same('5893'), same('6304'), same('6759'), ['6761', '6763']],
  },
  diners: { lengths: [14], cvvDigits: 3, ranges: [['300', '305'], same('36'), ['38', '39']] },
}

function same(start: string): readonly [string, string] {
  return [start, start]
}

const digitsOf = (value: string): string => value.replaceAll(' ', '').replaceAll('-', '')

/** The brand by the number's prefix; null for an unknown prefix. */
export function cardBrandOf(value: string): CardBrand | null {
  const digits = digitsOf(value)
  const begins = (from: string, to: string) => {
    const start = digits.slice(0, from.length)
    return start.length === from.length && start >= from && start <= to
  }
  return cardBrands.find((brand) => brands[brand].ranges.some(([from, to]) => begins(from, to))) ?? null
}

export function validateCardNumber(value: string, accepted: readonly CardBrand[] = cardBrands): ValidationResult {
  const digits = digitsOf(value)
  if (digits === '') return null
  const brand = cardBrandOf(digits)
  if (!/^[0-9]{12,19}$/.test(digits) || brand === null) return validatorTexts.cardNumber
  const isFit = accepted.includes(brand) && brands[brand].lengths.includes(digits.length) && passesLuhn(digits)
  return isFit ? null : validatorTexts.cardNumber
}

/** An American Express has four digits and other brands three; without a known brand both are valid. */
export function validateCvv(value: string, brand: CardBrand | null = null): ValidationResult {
  const cvv = value.trim()
  if (cvv === '') return null
  const lengths = brand === null ? [3, 4] : [brands[brand].cvvDigits]
  return /^[0-9]{3,4}$/.test(cvv) && lengths.includes(cvv.length) ? null : validatorTexts.cvv
}

/** ISO/IEC 7812: every second digit from the right is doubled, and the sum of all digits must be divisible by ten. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, char, index) => {
    const value = Number(char) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
