import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../feedback/confirm.tsx'
import { asksBeforeUnload, holdEdits, whoMindsLeavingTo } from './unsaved-edits.ts'

type GuardSettings = {
  isDirty: boolean
  /** Addresses under which the form stays as it is; none when it is left out. */
  staysAt?: (path: string) => boolean
  /** Told when somebody leaves nevertheless: what outlives a page lets go of its edits then. */
  onLeave?: () => void
}

export type UnsavedGuard = {
  /** For a form in a dialog: true when nothing would be lost, or the person said so. */
  mayLeave: () => Promise<boolean>
  /** While it is asked, the dialog underneath has no ear for Escape. */
  isAsking: boolean
}

/** Asks before a filled form is left, by a link, by going back, or by closing the page. Ok leaves, Cancel stays. */
export function useUnsavedGuard({ isDirty, staysAt, onLeave }: GuardSettings): UnsavedGuard {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const [id] = useState(() => Symbol('form'))
  const [isAsking, setAsking] = useState(false)
  const stays = useRef(staysAt)
  stays.current = staysAt
  useEffect(() => {
    if (isDirty) return holdEdits(id, { mindsLeavingTo: (path) => stays.current?.(path) !== true })
  }, [id, isDirty])

  const ask = async (): Promise<boolean> => {
    setAsking(true)
    const leaves = await confirm({
      title: t('Do you want to exit before saving?'),
      body: t('What you have filled in will be lost.'),
      action: t('Ok'),
      stay: t('Cancel'),
    })
    setAsking(false)
    if (leaves) onLeave?.()
    return leaves
  }
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: asksBeforeUnload,
    shouldBlockFn: async ({ next }) => whoMindsLeavingTo(next.pathname) === id && !(await ask()),
  })
  return { mayLeave: async () => !isDirty || ask(), isAsking }
}
