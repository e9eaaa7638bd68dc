import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { countryCodes } from '../countries.ts'
import { type Complaint, validatorTexts } from './messages.ts'

/** As it is stored and sent: without the spaces that it is printed with, in capitals. */
export function plainIban(value: string): string {
  return value.replaceAll(' ', '').toUpperCase()
}

/** Printed with spaces, never with anything else between: the library itself would overlook a dash. */
const ibanCharsMax = 60

export function complainOfIban(value: string): Complaint {
  if (value.trim() === '') return null
  const iban = plainIban(value)
  const isRight = value.length <= ibanCharsMax && electronicFormatIBAN(iban) === iban && isValidIBAN(iban)
  return isRight ? null : validatorTexts.iban
}

/** The country that an IBAN begins with, of those that the portal knows; null while it is not whole or not right. */
export function countryOfIban(value: string): string | null {
  if (value.trim() === '' || complainOfIban(value)) return null
  const code = plainIban(value).slice(0, 2)
  return countryCodes.includes(code) ? code : null
}

/** ISO 9362: institution, country, place, and a branch or none. */
export function complainOfBic(value: string): Complaint {
  const bic = value.trim().toUpperCase()
  if (bic === '') return null
  return isValidBIC(bic) ? null : validatorTexts.bic
}
