/** Texts about beneficiaries, separate from the sign-in page's bundle. */
export const beneficiaryTexts = {
  noAccounts: 'No accounts found.',
  noCryptoAccounts: "You don't have any crypto accounts yet.",
  noCompanyAccounts: 'Not Added yet. Contact the manager.',
  deleteBank: 'Are you sure you want to delete this Bank Account?',
  deleteAccount: 'Are you sure you want to delete this Account?',
  bankSaved: 'Bank Account saved successfully.',
  bankDeleted: 'Bank Account deleted successfully.',
  accountSaved: 'Account saved successfully.',
  accountDeleted: 'Account deleted successfully.',
  saveFailed: 'We could not process your request. Please try again.',
  qrFailed: 'There was a problem uploading your QR code. Please try again.',
  qrUnknown: 'Please upload the QR code again.',
  currencyUnknown: 'Please choose one of the listed currencies.',
  ibanAndBic: 'The countries differ: IBAN {{one}}, SWIFT / BIC {{other}}. Check both, or confirm that they are right.',
  ibanAndCountry: 'The countries differ: IBAN {{one}}, bank {{other}}. Check both, or confirm that they are right.',
  bicAndCountry:
    'The countries differ: SWIFT / BIC {{one}}, bank {{other}}. Check both, or confirm that they are right.',
  routingNumberWrong:
    "This isn't a routing number of a bank in the USA. It has nine digits, and one of them may be wrong.",
  accountNumberWrong: "This isn't a valid account number. One digit may be wrong.",
  countriesConfirmed: 'The countries differ, and this is correct',
  addressInvalid:
    "This isn't a valid {{coin}} address. One character may be wrong: please copy the whole address from your wallet again.",
  tagInAddress: 'This address already contains another tag. Please leave the tag empty, or check the address.',
  changedElsewhere: 'This account was changed in the meantime. Nothing was overwritten.',
  tooMany: 'The maximum number of accounts is reached. Please delete one first.',
  inUse:
    'A withdrawal to this account is still in progress ({{ticket}}). You can change or delete the account once it is complete. If its details are wrong, cancel the withdrawal or contact support.',
} as const
