import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { allCountries } from '../members/countries.ts'
import { normalizePhone, shownPhone } from './phone.ts'

export type PhoneCountry = { code: string; name: string; calling: string }

/** Countries by name, each with its calling code. */
export function phoneCountries(): PhoneCountry[] {
  const known: readonly string[] = getCountries()
  return allCountries()
    .filter(({ alpha_2 }) => known.includes(alpha_2))
    .map(({ alpha_2: code, name }) => ({ code, name, calling: `+${getCountryCallingCode(code as CountryCode)}` }))
}

/** Replaces the calling code of the typed number by the country's. */
export function withCallingCode(text: string, { code, calling }: PhoneCountry): string {
  const normalized = normalizePhone(text)
  const found = parsePhoneNumberFromString(normalized, code as CountryCode)
  return shownPhone(`${calling} ${found?.nationalNumber ?? normalized.replace(/^\+[0-9]{0,3}/, '').trim()}`)
}
