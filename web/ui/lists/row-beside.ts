/** `index` is where the shown row was seen last: it may have left the list since. */
type Shown = { ids: readonly string[]; shownId: string | undefined; index: number }

/** Where `j` and `k` lead. Below a row that has left the list is what has moved up into its place. */
export function rowBeside({ ids, shownId, index, step }: Shown & { step: 1 | -1 }): string | undefined {
  if (shownId === undefined) return step === 1 ? ids[0] : ids.at(-1)
  const isGone = !ids.includes(shownId)
  const next = isGone && step === 1 ? index : index + step
  return ids[Math.max(0, Math.min(ids.length - 1, next))]
}

/** What comes up after a decision: the one below, at the end of the list the one above, nothing when it was the last. */
export function rowAfter({ ids, shownId, index }: Shown): string | undefined {
  const below = shownId !== undefined && ids.includes(shownId) ? index + 1 : index
  return ids[below] ?? ids.filter((id) => id !== shownId).at(-1)
}
