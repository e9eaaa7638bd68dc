import { isSupportedCountry, ParseError, type PhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/min'
import { z } from 'zod'
import { limits } from '../limits.ts'
import { countryName } from '../members/countries.ts'
import { plainDigits } from '../money/number-marks.ts'
import { plainWords } from './identifier.ts'
import { type Complaint, validatorTexts } from './messages.ts'

/** What the sentences of the specification leave open: what to do about it. */
export const phoneTexts = {
  countryMissing:
    'Incorrect phone number. Begin with + and the country code, like +356 2122 4455, or choose the country.',
  codeUnknown: 'Incorrect phone number. No country has this code.',
  lengthWrong: 'Incorrect phone number. It has too few or too many digits for {{country}}.',
  extension: 'Enter the number without its extension.',
} as const

/** In E.164, as it is kept, with the country that it is of; or why it is no number that can be called. */
export type ReadPhone = { number: string; country: string | null } | { problem: string }

/**
 * Digits of any script, + - ( ) and blanks: slashes, dots and marks that nobody sees are dropped, and so is what a link to
 * a number begins with. Letters stay, to be refused.
 */
export function plainPhone(text: string): string {
  return plainDigits(plainWords(text).normalize('NFKC'))
    .replace(/^tel:/i, '')
    .replace(/[\p{White_Space}/.·•]+/gu, ' ')
    .trim()
    .replace(/^\( ?(\+[0-9]{1,3}) ?\)/, '$1 ')
}

const isStrange = (plain: string): boolean => /[^0-9 ()+-]/.test(plain)
const international = (plain: string): string => plain.replace(/^00(?=[1-9])/, '+')

/** A national number is read as one of `country`. */
export function readPhone(text: string, country?: string): ReadPhone {
  const plain = plainPhone(text)
  if (!isStrange(plain) && plain.replace(/[^0-9]/g, '').length < limits.phoneDigitsMin)
    return { problem: validatorTexts.phoneShort }
  const asDialled = parsed(country ? plain : international(plain), country)
  const isFound = typeof asDialled !== 'string' && asDialled.isPossible()
  // Not every country dials 00 for abroad, but everybody writes it.
  const found = isFound ? asDialled : parsed(international(plain), country)
  if (typeof found === 'string') return { problem: found }
  if (found.ext) return { problem: phoneTexts.extension }
  if (found.isPossible()) return { number: found.number, country: found.country ?? null }
  const place = found.country ?? country
  return { problem: place ? phoneTexts.lengthWrong.replace('{{country}}', countryName(place)) : validatorTexts.phone }
}

function parsed(plain: string, country: string | undefined): PhoneNumber | string {
  try {
    const isKnown = country !== undefined && isSupportedCountry(country)
    return parsePhoneNumberWithError(plain, { extract: false, ...(isKnown && { defaultCountry: country }) })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const isCountryUnknown = error.message === 'INVALID_COUNTRY' && !isStrange(plain)
    if (isCountryUnknown) return plain.startsWith('+') ? phoneTexts.codeUnknown : phoneTexts.countryMissing
    return error.message === 'TOO_SHORT' ? validatorTexts.phoneShort : validatorTexts.phone
  }
}

/** As people read it, in groups; what was kept before numbers were is shown as it is. */
export function shownPhone(text: string): string {
  const found = parsed(plainPhone(text), undefined)
  return typeof found === 'string' || found.ext || !found.isPossible() ? text : found.formatInternational()
}

export function complainOfPhone(value: string, country?: string): Complaint {
  if (plainPhone(value) === '') return null
  const read = readPhone(value, country)
  return 'problem' in read ? read.problem : null
}

/** The one rule for every call that takes a phone number: any spelling of it, kept in E.164. */
export const phoneInput = z
  .string({ error: validatorTexts.phone })
  .refine((text) => plainPhone(text) !== '', { error: validatorTexts.phone, abort: true })
  .transform((text, context) => {
    const read = readPhone(text)
    if ('number' in read) return read.number
    context.addIssue({ code: 'custom', message: read.problem, input: text })
    return z.NEVER
  })
