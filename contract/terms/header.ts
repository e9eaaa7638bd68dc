/** The response header with a short digest of the terms that a member has yet to accept. */
export const termsHeader = 'x-terms'
/** Its value if there are none. */
export const noTerms = 'none'
