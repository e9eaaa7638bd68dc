/** Apart from the calls, so that an address can be read without the schema library. */
export const termsStates = ['draft', 'published', 'retired'] as const
export type TermsState = (typeof termsStates)[number]
