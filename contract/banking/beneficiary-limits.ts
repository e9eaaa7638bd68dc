import { z } from 'zod'

/** Limits of beneficiaries and company bank accounts; separate from the limits that the first page loads. */
export const beneficiaryLimits = {
  /** Cooling-off period of a new or changed beneficiary: default and maximum. */
  beneficiaryCoolingOffHours: 24,
  beneficiaryCoolingOffHoursMax: 168,
  /** Per member, for bank accounts and for other accounts. */
  beneficiariesMax: 50,
  bankAccountsPageSize: 15,
  bankAccountCharsMax: 50,
  /** Account holder and bank name: the default, and the maximum that a workspace may set, which is what payments carry. */
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

/** Defaults if the workspace has set no value or the previous version omits it. */
export const knownBankNameCharsMax = z
  .int()
  .min(beneficiaryLimits.bankNameCharsMax)
  .max(beneficiaryLimits.bankNameCharsCeiling)
  .default(beneficiaryLimits.bankNameCharsMax)
