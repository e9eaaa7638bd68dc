/** `index` is the last known position of the shown row, which may have left the list since. */
type Shown = { ids: readonly string[]; shownId: string | undefined; index: number }

/** The target of `j` and `k`. After the shown row has left the list, the row that moved up to its position is the next one. */
export function adjacentRow({ ids, shownId, index, step }: Shown & { step: 1 | -1 }): string | undefined {
  if (shownId === undefined) return step === 1 ? ids[0] : ids.at(-1)
  const isGone = !ids.includes(shownId)
  const next = isGone && step === 1 ? index : index + step
  return ids[Math.max(0, Math.min(ids.length - 1, next))]
}

/** The row to open after a decision: the next one, the previous one at the end of the list, undefined after the last row. */
export function rowAfter({ ids, shownId, index }: Shown): string | undefined {
  const below = shownId !== undefined && ids.includes(shownId) ? index + 1 : index
  return ids[below] ?? ids.filter((id) => id !== shownId).at(-1)
}
