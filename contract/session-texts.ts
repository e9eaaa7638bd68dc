/** Sentences about sign-in and its proofs that the server alone says, so that no page has to load them. */
export const sessionTexts = {
  secondFactorRequired: 'Please set up a second factor first. Your workspace asks for one.',
  secondFactorExpired: 'Your sign-in took too long or was already completed. Please sign in again.',
  proofRequired: 'Please confirm that it is you.',
  proofByFactor: 'You have a second factor. Please confirm with it.',
  passkeyWrong: 'This passkey was not accepted.',
  passkeysFull: 'You have as many passkeys as there can be. Please remove one first.',
  factorNeeded: 'Your workspace asks for a second factor. Please add another one before you remove this one.',
  factorAdded: 'Your second factor is set up.',
  factorRemoved: 'The second factor has been removed.',
  recoveryCodesRenewed: 'You have new recovery codes. The old ones no longer work.',
  sessionEnded: 'This device has been signed out.',
  otherSessionsEnded: 'All your other devices have been signed out.',
  resetRequested:
    'If this address belongs to an account, a link to set a new password is on its way. It is good for one hour.',
  passwordSet: 'Your password is set. Please sign in with it.',
  passwordReset: 'Your password has been reset. Please sign in with your new password.',
  passwordCommon: 'This password is one of the first that anybody would try. Please choose another one.',
  passwordUnchanged: 'Please choose a password other than your current one.',
  termsRequired: 'Please read and accept the terms first.',
  tooManyCalls: 'Too many requests at once. Please wait a moment.',
}
