/** The pattern of `like` for texts that hold this one; what it means by `%` and `_` are signs like any others. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
