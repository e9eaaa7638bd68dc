import { useState } from 'react'

type List = {
  /** Names what is listed: filters, page. A list of another name has another first row. */
  name: string
  /** Undefined while nothing of it is shown. */
  rows: readonly { _id: string }[] | undefined
  /** Whether the rows are still those of the list before. */
  isOld: boolean
}

/**
 * The first row of a list as it was when the list came. A row that leaves the list since somebody decided it is not taken from
 * whoever is reading it, and nobody decides what has slipped into its place.
 */
export function useFirstRow({ name, rows, isOld }: List): string | undefined {
  const [held, setHeld] = useState<{ name: string; id: string }>()
  if (rows === undefined) return undefined
  if (isOld || held?.name === name) return held?.id
  const first = rows[0]?._id
  if (first !== undefined) setHeld({ name, id: first })
  return first
}
