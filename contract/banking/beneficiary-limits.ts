import { z } from 'zod'

/** Of bank accounts, other accounts and the brokerage's own: apart from the others, which the first page loads. */
export const beneficiaryLimits = {
  /** How long a new or changed beneficiary rests before money is paid to it: what stands by default, and the most. */
  beneficiaryRestHours: 24,
  beneficiaryRestHoursMax: 168,
  /** Bank accounts of one member, and other accounts of one member. */
  beneficiariesMax: 50,
  bankAccountsPageSize: 15,
  bankAccountCharsMax: 50,
  /** Holder and name of a bank: what stands by default, and the most that a workspace may set, which payments carry. */
  bankNameCharsMax: 50,
  bankNameCharsCeiling: 140,
  fundFieldCharsMax: 120,
  fundNotesCharsMax: 256,
  fundAddressCharsMax: 512,
  fundTagCharsMax: 100,
  qrSizeKbMax: 5_000,
  companyBanksMax: 100,
  companyBankFieldCharsMax: 140,
  companyBankNotesCharsMax: 500,
} as const

/** As it is read, where nobody has chosen yet, or a process of the version before does not tell it. */
export const knownBankNameCharsMax = z
  .int()
  .min(beneficiaryLimits.bankNameCharsMax)
  .max(beneficiaryLimits.bankNameCharsCeiling)
  .default(beneficiaryLimits.bankNameCharsMax)
