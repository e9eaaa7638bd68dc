import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { beginHistory, redo, remember, undo } from './history.ts'

export type Selected = { kind: 'field'; name: string } | { kind: 'step'; id: string } | null
type Edit = (definition: FormDefinition) => FormDefinition | null

export type Editor = {
  /** Ignores an edit that returns null. Consecutive changes with the same mark form one undo step. */
  change: (edit: Edit, mark?: string) => void
  select: (selected: Selected) => void
  /** Announces the result of an action to screen readers. */
  announce: (words: string) => void
  /** The button pressed to move a field; the remounted card finds it and restores the focus. */
  pressed: { current: string | null }
  /** Returns the current definition, for event handlers. */
  read: () => FormDefinition
}

type Saved = { definition: FormDefinition; version: number }

/**
 * A definition being edited, and the version that it is based on, which a colleague's version does not change. The
 * returned functions are stable, so that unchanged fields do not re-render.
 */
export function useFormEditor(start: Saved) {
  const [history, setHistory] = useState(() => beginHistory(start.definition))
  const [selected, select] = useState<Selected>(null)
  const [saved, setSaved] = useState(start)
  const [said, announce] = useState('')
  const latest = useRef(history.now)
  latest.current = history.now
  const pressed = useRef<string | null>(null)
  const change = useCallback((edit: Edit, mark?: string) => {
    setHistory((before) => {
      const next = edit(before.now)
      return next ? remember(before, next, mark ?? null) : before
    })
  }, [])
  const editor = useMemo<Editor>(() => ({ change, select, announce, pressed, read: () => latest.current }), [change])
  return {
    definition: history.now,
    said,
    selected,
    editor,
    isDirty: history.now !== saved.definition,
    basedOn: saved.version,
    mayUndo: history.past.length > 0,
    mayRedo: history.future.length > 0,
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    /** Marks the sent definition as saved; changes made since then stay unsaved. */
    settle: setSaved,
    /** Restarts from a version that a colleague saved. */
    restart: (fresh: Saved) => {
      setHistory(beginHistory(fresh.definition))
      setSaved(fresh)
      select(null)
    },
  }
}

export type FormEditor = ReturnType<typeof useFormEditor>
