/** Texts about a member's own profile: addresses, phones, picture, language. */
export const profileTexts = {
  profileSaved: 'Profile updated successfully.',
  profileChangedElsewhere: 'Your profile was changed in the meantime. Nothing was overwritten.',
  phoneTwice: 'This phone number is on the list already.',
  phonesTooMany: 'Keep at most {{count}} phone numbers.',
  addressesTooMany: 'Keep at most {{count}} addresses.',
  addressPrimary: 'Please choose which address is the primary one.',
  addressUnknown: 'This address is not part of your profile any more.',
  localeUnknown: 'Please choose one of the listed formats.',
  languageUnknown: 'Please choose one of the listed languages.',
  timeZoneUnknown: 'Please choose one of the listed time zones.',
  pictureUnknown: 'Please upload the picture again.',
  pictureNotSquare: 'Please crop the picture to a square of at most {{count}} pixels.',
  pictureSaved: 'Your picture has been saved.',
  pictureRemoved: 'Your picture has been removed.',
  notificationPreferenceSaved: 'Saved.',
  endMailsLinkWrong: 'This link does not work. Sign in and choose your email notifications on your profile.',
} as const
