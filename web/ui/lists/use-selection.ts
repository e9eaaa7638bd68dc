import { limits } from '@atrium/contract/limits.ts'
import { useState } from 'react'

export type Selection = {
  isOn: boolean
  ids: ReadonlySet<string>
  set: (isOn: boolean) => void
  turn: (id: string) => void
  add: (ids: readonly string[]) => void
}

const none: ReadonlySet<string> = new Set()

/** The selected rows, across pages; a change of filters clears them. */
export function useSelection(filters: string): Selection {
  const [isOn, setOn] = useState(false)
  const [selected, setSelected] = useState({ filters, ids: none })
  const ids = selected.filters === filters ? selected.ids : none
  const keep = (wanted: readonly string[]) =>
    setSelected({ filters, ids: new Set(wanted.slice(0, limits.pageSizeMax)) })
  return {
    isOn,
    ids,
    set: (on) => {
      setOn(on)
      if (!on) keep([])
    },
    turn: (id) => {
      setOn(true)
      keep(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id])
    },
    add: (more) => keep([...new Set([...ids, ...more])]),
  }
}

/** The id of a row's content, which names the row for screen readers and receives the keyboard focus. */
export const rowIdOf = (id: string): string => `row-${id}`
