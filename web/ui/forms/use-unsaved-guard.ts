import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useConfirm } from '../feedback/confirm.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { exitQuestion } from './exit-question.ts'
import { asksBeforeUnload, findFormBlockingLeave, holdEdits } from './unsaved-edits.ts'

type GuardSettings = {
  isDirty: boolean
  /** What leaving loses; by default the input. */
  body?: string
  /** Paths at which the form stays mounted; none by default. */
  staysAt?: (path: string) => boolean
  /** Called when the user leaves anyway, so that a longer-lived store can discard its edits. */
  onLeave?: () => void
}

export type UnsavedGuard = {
  /** For a form in a dialog: true when nothing would be lost or the user confirmed. */
  mayLeave: () => Promise<boolean>
  /** While the question is open, the dialog underneath ignores Escape. */
  isAsking: boolean
}

/** Asks before a form with unsaved edits is left by a link, by going back, or by closing the page. */
export function useUnsavedGuard({ isDirty, body, staysAt, onLeave }: GuardSettings): UnsavedGuard {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const [id] = useState(() => Symbol('form'))
  const [isAsking, setAsking] = useState(false)
  const stays = useRef(staysAt)
  stays.current = staysAt
  useEffect(() => {
    if (isDirty) return holdEdits(id, { blocksLeavingTo: (path) => stays.current?.(path) !== true })
  }, [id, isDirty])

  const ask = async (): Promise<boolean> => {
    setAsking(true)
    const leaves = await confirm({ ...exitQuestion(t), ...(body !== undefined && { body }) })
    setAsking(false)
    if (leaves) onLeave?.()
    return leaves
  }
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: asksBeforeUnload,
    shouldBlockFn: async ({ next }) => findFormBlockingLeave(next.pathname) === id && !(await ask()),
  })
  return { mayLeave: async () => !isDirty || ask(), isAsking }
}
