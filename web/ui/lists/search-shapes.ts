/** The valid format of each query parameter. */
export type Shapes<Search> = Record<keyof Search, RegExp>

export const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const markShape = /^[\w-]{1,500}$/
export const wordsCharsMax = 100
/** Search text. */
export const wordsShape = new RegExp(`^.{1,${wordsCharsMax}}$`)

/** Reads hand-typed addresses too: invalid values are omitted. */
export function readShaped<Search extends object>(shapes: Shapes<Search>, search: Record<string, unknown>): Search {
  const entries = Object.entries<RegExp>(shapes).flatMap(([name, shape]) => {
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name]
    return typeof value === 'string' && shape.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(entries)
}
