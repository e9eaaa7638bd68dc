/** Additional bank details that payouts to some countries require. */
export const bankDetails = ['bank_branch', 'routing_number', 'postcode'] as const
export type BankDetail = (typeof bankDetails)[number]

const byCountry: Readonly<Record<string, readonly BankDetail[]>> = {
  AU: ['routing_number'],
  BR: ['bank_branch'],
  CA: ['routing_number', 'postcode'],
  CN: ['bank_branch'],
  IN: ['routing_number', 'bank_branch'],
  JP: ['bank_branch'],
  US: ['routing_number', 'postcode'],
  VN: ['bank_branch'],
}

/** Currencies that are paid out within one country only, whatever the bank's country. */
const countryOfCurrency: Readonly<Record<string, string>> = { BRL: 'BR', CNY: 'CN', INR: 'IN', VND: 'VN' }

/** The details that a payout to this bank requires; they are optional for all other banks. */
export function bankDetailsAsked({ country, currency }: { country: string; currency: string }): readonly BankDetail[] {
  const asked = [country, countryOfCurrency[currency] ?? ''].flatMap((code) =>
    Object.hasOwn(byCountry, code) ? (byCountry[code] ?? []) : [],
  )
  return bankDetails.filter((detail) => asked.includes(detail))
}
