import { countryCodes } from '../countries.ts'
import { type Complaint, validatorTexts } from './messages.ts'

/**
 * What follows country and check digits in each country of the IBAN registry (ISO 13616): n digits, a capital letters,
 * c both. French overseas territories write FR, the Aland Islands FI.
 */
const structures = new Map(
  (
    'AD:n8c12 AE:n19 AL:n8c16 AT:n16 AZ:a4c20 BA:n16 BE:n12 BG:a4n6c8 BH:a4c14 BI:n23 BR:n23a1c1 BY:a4n4c16 CH:n5c12 ' +
    'CR:n18 CY:n8c16 CZ:n20 DE:n18 DJ:n23 DK:n14 DO:a4n20 EE:n16 EG:n25 ES:n20 FI:n14 FK:a2n12 FO:n14 FR:n10c11n2 ' +
    'GB:a4n14 GE:c2n16 GI:a4c15 GL:n14 GR:n7c16 GT:c24 HN:a4n20 HR:n17 HU:n24 IE:c4n14 IL:n19 IQ:a4n15 IS:n22 ' +
    'IT:a1n10c12 JO:a4n4c18 KW:a4c22 KZ:n3c13 LB:n4c20 LC:a4c24 LI:n5c12 LT:n16 LU:n3c13 LV:a4c13 LY:n21 MC:n10c11n2 ' +
    'MD:c20 ME:n18 MK:n3c10n2 MN:n16 MR:n23 MT:a4n5c18 MU:a4n19a3 NI:a4n20 NL:a4n10 NO:n11 OM:n3c16 PK:c4n16 PL:n24 ' +
    'PS:c4n21 PT:n21 QA:a4c21 RO:a4c16 RS:n18 RU:n14c15 SA:n2c18 SC:a4n20a3 SD:n14 SE:n20 SI:n15 SK:n20 SM:a1n10c12 ' +
    'SO:n19 ST:n21 SV:a4n20 TL:n19 TN:n20 TR:n5c17 UA:n6c19 VA:n18 VG:c4n16 XK:n16 YE:a4n4c18'
  )
    .split(' ')
    .map((entry): [string, string] => [entry.slice(0, 2), spellOut(entry.slice(3))]),
)

/** `a4n2` as `aaaann`: one letter for each character of the number. */
function spellOut(structure: string): string {
  return structure.replace(/[anc][0-9]{1,2}/g, (part) => part.charAt(0).repeat(Number(part.slice(1))))
}

const isDigit = (char: string) => char >= '0' && char <= '9'
const isLetter = (char: string) => char >= 'A' && char <= 'Z'
const fits: Record<string, (char: string) => boolean> = {
  n: isDigit,
  a: isLetter,
  c: (char) => isDigit(char) || isLetter(char),
}

/** As it is stored and sent: without the spaces that it is printed with, in capitals. */
export function plainIban(value: string): string {
  return value.replaceAll(' ', '').toUpperCase()
}

export function complainOfIban(value: string): Complaint {
  if (value.trim() === '') return null
  return value.length <= 60 && isIban(plainIban(value)) ? null : validatorTexts.iban
}

function isIban(iban: string): boolean {
  const structure = structures.get(iban.slice(0, 2))
  if (structure === undefined || iban.length !== structure.length + 4) return false
  const body = iban.slice(4)
  if (!isDigit(iban.charAt(2)) || !isDigit(iban.charAt(3))) return false
  if (![...body].every((char, index) => fits[structure.charAt(index)]?.(char) === true)) return false
  // Check digits 00, 01 and 99 can come out right and are never given (ISO 7064: 02 to 98).
  const check = iban.slice(2, 4)
  return check !== '00' && check !== '01' && check !== '99' && remainderOf(body + iban.slice(0, 4)) === 1
}

/** ISO 7064 mod 97-10, digit by digit: the number itself is longer than a number can hold. */
function remainderOf(text: string): number {
  let remainder = 0
  for (const char of text) {
    const value = isDigit(char) ? Number(char) : char.charCodeAt(0) - 55
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

const bicShape = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** ISO 9362: institution, country, place, and a branch or none. Kosovo has no code in ISO 3166 and banks all the same. */
export function complainOfBic(value: string): Complaint {
  const bic = value.trim().toUpperCase()
  if (bic === '') return null
  const country = bic.slice(4, 6)
  return bicShape.test(bic) && (country === 'XK' || countryCodes.includes(country)) ? null : validatorTexts.bic
}
