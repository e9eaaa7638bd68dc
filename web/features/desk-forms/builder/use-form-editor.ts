import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { beginHistory, redo, remember, undo } from './history.ts'

export type Selected = { kind: 'field'; name: string } | { kind: 'step'; id: string } | null
type Edit = (definition: FormDefinition) => FormDefinition | null

export type Editor = {
  /** Nothing happens where the edit answers null. Changes of one mark in a row are one step back. */
  change: (edit: Edit, mark?: string) => void
  select: (selected: Selected) => void
  /** Aloud, for whoever does not see what a button did. */
  say: (words: string) => void
  /** The button that was pressed, while its field moves: where it lands, it is looked for and has the focus again. */
  pressed: { current: string | null }
  /** As it is at this moment, for what an event does. */
  read: () => FormDefinition
}

type Saved = { definition: FormDefinition; version: number }

/**
 * A definition under work, and the version that it was begun from: what a colleague saves meanwhile does not become the
 * context of it by being read. What it offers stays the same from one drawing to the next, so that untouched fields rest.
 */
export function useFormEditor(start: Saved) {
  const [history, setHistory] = useState(() => beginHistory(start.definition))
  const [selected, select] = useState<Selected>(null)
  const [saved, setSaved] = useState(start)
  const [said, say] = useState('')
  const latest = useRef(history.now)
  latest.current = history.now
  const pressed = useRef<string | null>(null)
  const change = useCallback((edit: Edit, mark?: string) => {
    setHistory((before) => {
      const next = edit(before.now)
      return next ? remember(before, next, mark ?? null) : before
    })
  }, [])
  const editor = useMemo<Editor>(() => ({ change, select, say, pressed, read: () => latest.current }), [change])
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
    /** What was sent is what is kept now; what was typed meanwhile stays to be saved. */
    settle: setSaved,
    /** Begins anew from what somebody else has saved. */
    restart: (fresh: Saved) => {
      setHistory(beginHistory(fresh.definition))
      setSaved(fresh)
      select(null)
    },
  }
}

export type FormEditor = ReturnType<typeof useFormEditor>
