/** Messages of the shared validators, in the specification's wording where it has one. The English text is the key. */
export const validatorTexts = {
  required: 'This is a required field',
  requiredIf: 'This is a required Field',
  phone: 'Incorrect phone number',
  phoneShort: 'Phone must be at least 5 numbers long',
  email: 'You have not given a correct e-mail address',
  formula: 'Formula is incorrect',
  duplicate: 'Value is duplicated.',
  link: 'Invalid link',
  url: 'Invalid URL',
  domain: 'Incorrect domain value',
  decimal: 'Invalid number',
  iban: 'Invalid IBAN number',
  bic: 'Invalid SWIFT / BIC',
  date: 'You have not given a correct date',
  cardNumber: 'The credit card number is not correct',
  cvv: 'The CVV number was not correct',
  strength: "The password isn't strong enough",
  chosenBetween: 'Please choose between {{min}} and {{max}} item(s)',
  chosenExactly: 'Choose exactly {{min}}',
  chosenTooFew: 'Please choose at least {{min}} item(s)',
  chosenTooMany: 'Please choose a maximum of {{max}} item(s)',
} as const

/** The error message, or null if the value is valid. An empty value passes: required fields are checked separately. */
export type ValidationResult = string | null

/** True for a value that a person would call empty. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}
