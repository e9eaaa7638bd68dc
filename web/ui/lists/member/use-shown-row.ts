import { useRef } from 'react'

type Row = { _id: string }
type Asked<One extends Row> = { data: One | null | undefined; error: Error | null; refetch: () => unknown }

type ShownRow<One extends Row> = {
  id: string | undefined
  /** Undefined while the list loads. */
  rows: readonly One[] | undefined
  /** Asks for one row by its id, and for nothing without an id; null when there is none. */
  useOne: (id: string | undefined) => Asked<One>
}

/**
 * The row that the address names: of the list, or asked for when it is on another page. A row that leaves the page while it is
 * shown stays until the answer about it, so that its dialog does not close in between.
 */
export function useShownRow<One extends Row>({ id, rows, useOne }: ShownRow<One>) {
  const onPage = rows?.find(({ _id }) => _id === id)
  const elsewhere = useOne(rows && !onPage ? id : undefined)
  const last = useRef<One | undefined>(undefined)
  const held = last.current?._id === id ? last.current : undefined
  const shown = onPage ?? (elsewhere.data === undefined ? held : (elsewhere.data ?? undefined))
  last.current = shown
  return {
    shown,
    /** There is none with this id. */
    isMissing: !onPage && elsewhere.data === null,
    /** It could not be asked for. */
    isUnread: !onPage && elsewhere.error !== null && elsewhere.data === undefined,
    refetch: elsewhere.refetch,
  }
}

const nothing = { data: undefined, error: null, refetch: () => undefined }

/** For a list whose rows cannot be asked for one by one: a row that leaves the page stays until its dialog is closed. */
export const useNoOther = () => nothing
