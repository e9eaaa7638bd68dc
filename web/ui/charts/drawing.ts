/** Charts are never animated, regardless of the reduced-motion setting. */
export const still = { isAnimationActive: false }

/** The chart is one tab stop with arrow-key navigation; its type lacks the accessible name. */
export const named = (label: string): object => ({ 'aria-label': label })
