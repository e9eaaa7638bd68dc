import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { beneficiaryTexts } from '../banking/texts.ts'
import { countryCodes, countryName } from '../members/countries.ts'
import { identifier, normalizeIdentifier, normalizeText } from './identifier.ts'
import { type ValidationResult, validatorTexts } from './messages.ts'

/** The stored form: uppercase, without spaces and without a printed label. */
export function normalizeIban(value: string): string {
  return normalizeIdentifier(value)
    .toUpperCase()
    .replace(/^IBAN:?/, '')
}

/** Uppercase, without spaces and without printed labels. */
export function normalizeBic(value: string): string {
  const bare = normalizeText(value).replace(
    /^(?:BIC|SWIFT)(?:\s{0,3}\/\s{0,3}(?:BIC|SWIFT))?(?:\s{1,3}code)?\s{0,3}[:\s]/i,
    '',
  )
  return normalizeIdentifier(bare).toUpperCase()
}

/** Refuses separators other than spaces, since the library would ignore a dash. */
export function validateIban(value: string): ValidationResult {
  const iban = normalizeIban(value)
  if (iban === '') return null
  return electronicFormatIBAN(iban) === iban && isValidIBAN(iban) ? null : validatorTexts.iban
}

/** The known country of a valid IBAN; null if it is incomplete, invalid or of an unknown country. */
export function countryOfIban(value: string): string | null {
  return validateIban(value) ? null : knownCountry(normalizeIban(value).slice(0, 2))
}

/** ISO 9362: institution, country, place, and an optional branch. */
export function validateBic(value: string): ValidationResult {
  const bic = normalizeBic(value)
  if (bic === '') return null
  return isValidBIC(bic) ? null : validatorTexts.bic
}

function countryOfBic(value: string): string | null {
  return validateBic(value) ? null : knownCountry(normalizeBic(value).slice(4, 6))
}

const knownCountry = (code: string): string | null => (countryCodes.includes(code) ? code : null)

const judged = (
  normalize: (value: string) => string,
  validate: (value: string) => ValidationResult,
  words?: { error: string },
) =>
  identifier(words)
    .overwrite(normalize)
    .superRefine((value, context) => {
      const message = validate(value)
      if (message) context.addIssue({ code: 'custom', message })
    })

export const ibanInput = () => judged(normalizeIban, validateIban, { error: validatorTexts.iban })
export const bicInput = (words: { error: string }) => judged(normalizeBic, validateBic, words)

/**
 * Territories whose banks belong to the payment system of another country: their IBANs begin with its code (GB, FR, FI), or
 * their banks use its BICs.
 */
const territories: Readonly<Record<string, readonly string[]>> = {
  AU: ['CC', 'CX', 'HM', 'NF'],
  FI: ['AX'],
  FR: ['BL', 'GF', 'GP', 'MC', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
  GB: ['GG', 'IM', 'JE'],
  MA: ['EH'],
  NO: ['BV', 'SJ'],
  NZ: ['TK'],
  US: ['AS', 'GU', 'MP', 'PR', 'UM', 'VI'],
}
const systems = new Map(
  Object.entries(territories).flatMap(([home, others]) => others.map((code): [string, string] => [code, home])),
)
const systemOf = (code: string): string => systems.get(code) ?? code

/** Whether banks of both countries belong to one payment system. */
export const isSameSystem = (one: string, other: string): boolean => systemOf(one) === systemOf(other)

const agree = (one: string | null, other: string | null): boolean =>
  one === null || other === null || isSameSystem(one, other)

type BankPlaces = { iban?: unknown; bic?: unknown; country?: unknown }
export type PlaceConflict = { field: 'swift' | 'country'; message: string }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Conflicts between the countries of an IBAN, a BIC and the bank: one of them is probably a typo. */
export function placeConflicts({ iban, bic, country }: BankPlaces): PlaceConflict[] {
  const [ofIban, ofBic] = [countryOfIban(textOf(iban)), countryOfBic(textOf(bic))]
  const ofBank = knownCountry(textOf(country))
  const conflicts: PlaceConflict[] = []
  if (!agree(ofIban, ofBic))
    conflicts.push({ field: 'swift', message: said(beneficiaryTexts.ibanAndBic, ofIban, ofBic) })
  if (!agree(ofIban, ofBank))
    conflicts.push({ field: 'country', message: said(beneficiaryTexts.ibanAndCountry, ofIban, ofBank) })
  else if (ofIban === null && !agree(ofBic, ofBank))
    conflicts.push({ field: 'country', message: said(beneficiaryTexts.bicAndCountry, ofBic, ofBank) })
  return conflicts
}

const said = (text: string, one: string | null, other: string | null): string =>
  text.replace('{{one}}', countryName(one ?? '')).replace('{{other}}', countryName(other ?? ''))
