/** Texts about trading accounts that the specification fixes or both sides use; separate from the sign-in page's bundle. */
export const accountTexts = {
  passwordHint: 'Your password must contains at least 8 alphanumeric characters, 1 uppercase letter and 1 digit',
  investorHint: 'The investor password gives read-only access: it shows the account on the platform, without trading.',
  investorChanged: 'The investor password has been set.',
  mainIsInvestor: 'The trading password must differ from the investor password.',
  investorIsMain: 'The investor password must differ from the trading password.',
  passwordChanged: 'Trading Account updated successfully!',
  passwordFailed: "We're sorry, we were unable to update the password on the Platform",
  passwordUnknown: 'The platform did not confirm the new password. Try to sign in with it, or set it again.',
  passwordClosed: 'The password of this account cannot be changed here.',
  accountDemo: 'This is a demo account. Please choose a live account.',
  inDemoGroup: 'Nothing can be deposited to this account at the moment. Please contact support.',
  bankAccountUnknown: 'Please choose one of the listed bank accounts.',
  receiptUnknown: 'Please upload the receipt again.',
}
