/** The notice of an operation whose account was deleted on the platform. */
export const deletedAccountLabels = {
  title: 'The account was deleted on the platform before the outcome was known',
  text: 'The platform has no history of it any more. Find out from its reports, its backup or its operator whether this operation was executed. Two people record the same outcome here; until then nothing is sent, paid or refunded.',
} as const
