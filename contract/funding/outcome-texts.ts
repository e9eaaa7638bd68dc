/** What became of something that a form sent, when its answer does not say it. */
export const outcomeTexts = {
  notReached: 'We couldn\u2019t reach the server. Nothing was sent. Please try again.',
  earlierAttemptDone:
    'Your earlier attempt went through with the details you had entered then. Please check it before you send another one.',
} as const
