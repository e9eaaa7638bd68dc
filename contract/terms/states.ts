/** Separate from the calls, so that a URL can be parsed without the schema library. */
export const termsStates = ['draft', 'published', 'retired'] as const
export type TermsState = (typeof termsStates)[number]
