import { isSupportedCountry, ParseError, type PhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/min'
import { z } from 'zod'
import { limits } from '../limits.ts'
import { countryName } from '../members/countries.ts'
import { normalizeNumber } from '../money/number-marks.ts'
import { normalizeText } from './identifier.ts'
import { type ValidationResult, validatorTexts } from './messages.ts'

/** Messages that the specification does not give: they say how to correct the number. */
export const phoneTexts = {
  countryMissing:
    'Incorrect phone number. Begin with + and the country code, like +356 2122 4455, or choose the country.',
  codeUnknown: 'Incorrect phone number. No country has this code.',
  lengthWrong: 'Incorrect phone number. It has too few or too many digits for {{country}}.',
  extension: 'Enter the number without its extension.',
} as const

/** The number in E.164, as stored, with its country; or the reason why it is invalid. */
export type ReadPhone = { number: string; country: string | null } | { problem: string }

/**
 * Digits of any script, + - ( ) and spaces. Slashes, dots, invisible characters and the `tel:` prefix are dropped;
 * letters stay and are refused later.
 */
export function normalizePhone(text: string): string {
  return normalizeNumber(normalizeText(text).normalize('NFKC'))
    .replace(/^tel:/i, '')
    .replace(/[\p{White_Space}/.·•]+/gu, ' ')
    .trim()
    .replace(/^\( ?(\+[0-9]{1,3}) ?\)/, '$1 ')
}

const isStrange = (normalized: string): boolean => /[^0-9 ()+-]/.test(normalized)
const international = (normalized: string): string => normalized.replace(/^00(?=[1-9])/, '+')

/** Parses a national number as one of `country`. */
export function readPhone(text: string, country?: string): ReadPhone {
  const normalized = normalizePhone(text)
  if (!isStrange(normalized) && normalized.replace(/[^0-9]/g, '').length < limits.phoneDigitsMin)
    return { problem: validatorTexts.phoneShort }
  const asDialled = parsed(country ? normalized : international(normalized), country)
  const isFound = typeof asDialled !== 'string' && asDialled.isPossible()
  // People write 00 for the international prefix even where their country dials another.
  const found = isFound ? asDialled : parsed(international(normalized), country)
  if (typeof found === 'string') return { problem: found }
  if (found.ext) return { problem: phoneTexts.extension }
  if (found.isPossible()) return { number: found.number, country: found.country ?? null }
  const place = found.country ?? country
  return { problem: place ? phoneTexts.lengthWrong.replace('{{country}}', countryName(place)) : validatorTexts.phone }
}

function parsed(normalized: string, country: string | undefined): PhoneNumber | string {
  try {
    const isKnown = country !== undefined && isSupportedCountry(country)
    return parsePhoneNumberWithError(normalized, { extract: false, ...(isKnown && { defaultCountry: country }) })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const isCountryUnknown = error.message === 'INVALID_COUNTRY' && !isStrange(normalized)
    if (isCountryUnknown) return normalized.startsWith('+') ? phoneTexts.codeUnknown : phoneTexts.countryMissing
    return error.message === 'TOO_SHORT' ? validatorTexts.phoneShort : validatorTexts.phone
  }
}

/** Formats the number in groups; a text stored before numbers were validated is returned unchanged. */
export function shownPhone(text: string): string {
  const found = parsed(normalizePhone(text), undefined)
  return typeof found === 'string' || found.ext || !found.isPossible() ? text : found.formatInternational()
}

export function validatePhone(value: string, country?: string): ValidationResult {
  if (normalizePhone(value) === '') return null
  const read = readPhone(value, country)
  return 'problem' in read ? read.problem : null
}

/** The rule for every call with a phone number: accepts any notation and stores E.164. */
export const phoneInput = z
  .string({ error: validatorTexts.phone })
  .refine((text) => normalizePhone(text) !== '', { error: validatorTexts.phone, abort: true })
  .transform((text, context) => {
    const read = readPhone(text)
    if ('number' in read) return read.number
    context.addIssue({ code: 'custom', message: read.problem, input: text })
    return z.NEVER
  })
