/**
 * How a mail can have ended without anybody knowing that it arrived: refused for good, or nobody knows. Apart from its calls,
 * so that an address can name one without their schemas.
 */
export const deadLetterStates = ['failed', 'unknown'] as const
