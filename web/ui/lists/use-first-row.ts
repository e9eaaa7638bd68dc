import { useState } from 'react'

type List = {
  /** Identifies the list: filters, page. A list with another name has another first row. */
  name: string
  /** Undefined while the list is not shown. */
  rows: readonly { _id: string }[] | undefined
  /** Whether the rows still belong to the previous list. */
  isOld: boolean
}

/**
 * The first row at the time the list was loaded. When a colleague decides that row and it leaves the list, the reader still
 * sees it, and does not decide the row that moved into its place.
 */
export function useFirstRow({ name, rows, isOld }: List): string | undefined {
  const [held, setHeld] = useState<{ name: string; id: string }>()
  if (rows === undefined) return undefined
  if (isOld || held?.name === name) return held?.id
  const first = rows[0]?._id
  if (first !== undefined) setHeld({ name, id: first })
  return first
}
