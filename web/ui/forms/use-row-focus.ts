import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { focusWhenLost } from '../feedback/focus-heading.ts'

/** What is typed comes before a picker in front of it, and before a button that would remove the next row too. */
const controlIn = (row: Element | undefined) =>
  row?.querySelector<HTMLElement>('input:enabled, textarea:enabled') ??
  row?.querySelector<HTMLElement>('select:enabled, button:enabled') ??
  null

/**
 * The focus in a list whose rows have buttons that remove them. A removed row takes its button along: the focus then goes to the
 * row in its place, or without one to the control that adds a row. A row that is added at the end gets the focus.
 */
export function useRowFocus<List extends HTMLElement, Adding extends HTMLElement = HTMLButtonElement>() {
  const list = useRef<List>(null)
  const adding = useRef<Adding>(null)
  return {
    /** For the element that has the rows as its children. */
    list,
    /** For the control that adds a row. */
    adding,
    removed(place: number, remove: () => void) {
      flushSync(remove)
      const rows = list.current?.children ?? []
      focusWhenLost(controlIn(rows[Math.min(place, rows.length - 1)]) ?? adding.current)
    },
    added(add: () => void) {
      flushSync(add)
      controlIn(list.current?.lastElementChild ?? undefined)?.focus()
    },
  }
}

/** For an element whose controls change with this state: it takes the focus of one that is gone. */
export function useKeptFocus<Place extends HTMLElement>(state: unknown) {
  const place = useRef<Place>(null)
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state) focusWhenLost(place.current)
    before.current = state
  }, [state])
  return place
}
