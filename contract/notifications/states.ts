/**
 * Final states of a mail without confirmed delivery: refused permanently, or outcome unknown. Separate from the calls, so that a URL
 * can contain a state without their schemas.
 */
export const deadLetterStates = ['failed', 'unknown'] as const
