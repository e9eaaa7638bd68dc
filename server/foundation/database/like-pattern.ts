/** The `like` pattern for texts that contain this one; `%` and `_` are escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
