/** Texts about a submission whose outcome the answer does not give. */
export const outcomeTexts = {
  notReached: 'We couldn\u2019t reach the server. Nothing was sent. Please try again.',
  decisionUnknown:
    'We got no answer, so the decision may or may not have been saved. You can try again: it is saved only once.',
  earlierAttemptDone:
    'Your earlier attempt went through with the details you had entered then. Please check it before you send another one.',
} as const
