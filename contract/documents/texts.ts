/** Texts about documents, for members and for the desk. */
export const documentTexts = {
  none: 'There are no files added.',
  added: 'File added successfully.',
  fileUnknown: 'Please upload the file again.',
  customerOther: 'You can add documents only for yourself.',
  categoryUnknown: 'Please choose one of the listed categories.',
  validUnknown: 'Please choose one of the listed documents.',
  validMissing: 'Please choose which document it is.',
  expiryMissing: 'Please enter the date until which this document is valid.',
  expiryUnreadable: 'Please enter a date.',
  expired: 'This document is no longer valid. Please add a valid one.',
  requestOver: 'This document is no longer requested.',
  checkNotOffered: 'The identity check is not available. Please add your documents.',
  checkOver: 'Your identity check is already complete.',
  checkUnavailable:
    'The identity check cannot be reached at the moment. Please try again later, or add your documents.',
  tooMany: 'The maximum number of documents is reached. Please contact us.',
} as const

/** Suggested reasons for a rejection; staff may write others. */
export const rejectReasons = [
  'The picture is blurred or too dark. Please take it again in good light.',
  'Part of the document is cut off. Please show all four corners.',
  'The document is no longer valid.',
  'The name on the document is not the name of the account.',
  'The document is older than three months.',
  'This kind of document is not accepted here.',
  'The other side of the document is missing.',
] as const

/** Reasons for revoking a decision. */
export const unverifyReasons = [
  'The document has expired. Please add a valid one.',
  'Your details have changed. Please add a document that shows them.',
  'We need a newer copy of this document.',
  'The document was verified by mistake.',
] as const
