export const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const markShape = /^[\w-]{1,500}$/
export const wordsCharsMax = 100
/** Search text. */
export const wordsShape = new RegExp(`^.{1,${wordsCharsMax}}$`)
