/** What payouts to some countries ask of a bank beside its name, number and address. */
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

/** Currencies that are paid out within one country alone, wherever the bank says that it is. */
const countryOfCurrency: Readonly<Record<string, string>> = { BRL: 'BR', CNY: 'CN', INR: 'IN', VND: 'VN' }

/** What a payout needs to know of a bank there; it is asked for, and may be said of every other bank. */
export function bankDetailsAsked({ country, currency }: { country: string; currency: string }): readonly BankDetail[] {
  const asked = [country, countryOfCurrency[currency] ?? ''].flatMap((code) =>
    Object.hasOwn(byCountry, code) ? (byCountry[code] ?? []) : [],
  )
  return bankDetails.filter((detail) => asked.includes(detail))
}
