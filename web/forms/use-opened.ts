import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

type Opening<Row> = {
  row: Row
  /** The record as the page has it now. A call that is refused reads it again before its refusal arrives. */
  newest: (queries: QueryClient) => Row | undefined
  /** The refusals that tell of a change by somebody else. */
  refusals: readonly string[]
}

/**
 * A record as it was when its dialog opened, so that a colleague's change in the meantime causes a conflict and is not
 * overruled. After the refusal that tells of the change, the dialog shows and sends the record as it is then.
 */
export function useOpened<Row extends object>({ row, newest, refusals }: Opening<Row>) {
  const queries = useQueryClient()
  const [opened, setOpened] = useState(row)
  /** For `onRefused`; returns the newer record if the refusal tells of one. */
  const takeNewer = ({ message }: Error): Row | undefined => {
    const newer = refusals.includes(message) ? newest(queries) : undefined
    if (newer) setOpened(newer)
    return newer
  }
  return { opened, takeNewer }
}
