/** Texts about requests and forms, verbatim from the specification where it has one. The English text is the key. */
export const requestTexts = {
  sent: 'Request was sent successfully',
  cancelled: 'The Request was cancelled',
  commentMissing: 'This action requires a Comment, please write it.',
  none: 'There are no requests to create at the moment.',
  alreadyOver: 'This request is already {{status}}. It cannot be cancelled any more.',
  notYours: 'Only the brokerage decides on a request.',
  typeUnknown: 'This request is not offered any more. Please choose another one.',
  formOther: 'This form does not belong to the request.',
  changesNothing: 'This is the value we already have.',
  tooMany: 'You have many open requests. Please wait until some are decided.',
} as const

/** Texts about sending a form; texts about its fields belong to the forms engine. */
export const submissionTexts = {
  sent: 'Your answers were sent successfully',
  formChanged: 'This form has changed since you opened it. Please check your answers again.',
  sentAlready: 'This form was already sent with other answers. To send these as well, please reopen the form.',
  nothingLeft: 'This form was already sent, so there is nothing left to save.',
  draftElsewhere: 'This form was also edited elsewhere. Please continue with the version saved there.',
  fileGone: 'This file no longer exists. Please upload it again.',
  tooLarge: 'These answers are too long to be saved.',
  fileNotAsked: 'This field does not accept files.',
  bankAccountUnknown: 'Please choose one of your bank accounts.',
} as const
