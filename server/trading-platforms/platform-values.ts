/** An account without leverage, as on an exchange, has 0 on a platform: its margin is that of 1:1. */
export const leverageOf = (said: number): number => Math.max(1, said)

/**
 * Texts of traders and dealers as they can be stored: a platform that cuts a text may halve a character, and one such
 * comment would fail the storing of all that was read with it.
 */
export const storableText = (said: string): string => said.toWellFormed().replaceAll('\u0000', '')
