/** Nothing in a chart comes from somewhere or goes somewhere: it stands, with or without reduced motion. */
export const still = { isAnimationActive: false }

/** The drawing is one stop of the keyboard, whose arrows read it; its type does not know that it takes a name. */
export const named = (label: string): object => ({ 'aria-label': label })
