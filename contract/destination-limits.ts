/** Of bank accounts, other accounts and the brokerage's own: apart from the others, which the first page loads. */
export const destinationLimits = {
  /** How long a new or changed destination rests before money is paid to it: what stands by default, and the most. */
  destinationRestHours: 24,
  destinationRestHoursMax: 168,
  /** Bank accounts of one member, and other accounts of one member. */
  destinationsMax: 50,
  bankAccountsPageSize: 15,
  bankFieldCharsMax: 50,
  fundFieldCharsMax: 120,
  fundNotesCharsMax: 256,
  fundAddressCharsMax: 512,
  fundTagCharsMax: 100,
  qrSizeKbMax: 5_000,
  companyBanksMax: 100,
  companyBankFieldCharsMax: 120,
  companyBankNotesCharsMax: 500,
} as const
