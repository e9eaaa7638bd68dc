/** The list with the entry at `index` moved up (-1) or down (1); unchanged at either end. */
export function moved<Entry>(entries: readonly Entry[], index: number, step: -1 | 1): Entry[] {
  const there = index + step
  if (there < 0 || there >= entries.length) return [...entries]
  const next = [...entries]
  const [entry] = next.splice(index, 1)
  if (entry !== undefined) next.splice(there, 0, entry)
  return next
}
