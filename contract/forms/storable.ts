/** What a database's text takes: no NUL, and no half of a character. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
