/** The answer's header that says, in a few characters, which terms a member has still to accept. */
export const termsHeader = 'x-terms'
/** What it says when there are none. */
export const noTerms = 'none'
