import { Modal } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useConfirm } from '../feedback/confirm.tsx'
import type { Question } from '../feedback/confirm-dialog.tsx'
import { useTopDialog } from '../feedback/open-dialogs.ts'
import { useTranslation } from '../text/use-translation.ts'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

export type DialogTools = {
  /** Closes the dialog, after a confirmation if input would be lost. */
  onCancel: () => void
  onSaved: () => void
  /** The form calls it whenever this changes. */
  onDirty: (isDirty: boolean) => void
  confirm: (question: Question) => Promise<boolean>
}

type FormDialogProps = {
  /** The id that the specification gives the dialog. */
  id?: string
  title: string
  size: number
  isOpen: boolean
  onClose: () => void
  /** Called after the closing animation. */
  onGone?: (() => void) | undefined
  /** Only the close button closes it: neither a click outside nor Escape does. */
  isFirm?: boolean
  /** For a form state held outside; a form inside reports it through `onDirty`. */
  isDirty?: boolean
  /** The form has been sent and has no answer yet. */
  isBusy?: boolean
  children: (tools: DialogTools) => ReactNode
}

/** A form in a dialog, with protection against losing input by accident. */
export function FormDialog({ id, title, size, isOpen, onClose, isFirm = false, children, ...form }: FormDialogProps) {
  const { t } = useTranslation()
  const ask = useConfirm()
  const [isDirtyInside, setDirty] = useState(false)
  const isDirty = form.isDirty ?? isDirtyInside
  const [isConfirming, setConfirming] = useState(false)
  useFocusReturn(isOpen)
  const isTop = useTopDialog(isOpen)
  const leave = () => {
    setDirty(false)
    onClose()
  }
  const holdsEdits = isOpen && isDirty
  const { mayLeave, isAsking } = useUnsavedGuard({ isDirty: holdsEdits, onLeave: leave })
  const hasQuestion = isAsking || isConfirming
  const close = async () => {
    if (form.isBusy) return
    if (holdsEdits) await mayLeave()
    else leave()
  }
  const confirm = async (question: Question) => {
    setConfirming(true)
    const yes = await ask(question)
    setConfirming(false)
    return yes
  }
  return (
    <Modal
      {...(id !== undefined && { id })}
      opened={isOpen}
      onClose={() => isTop() && close()}
      {...(form.onGone && { onExitTransitionEnd: form.onGone })}
      closeOnEscape={!isFirm && !hasQuestion}
      closeOnClickOutside={!isFirm}
      trapFocus={!hasQuestion}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {children({ onCancel: close, onSaved: leave, onDirty: setDirty, confirm })}
    </Modal>
  )
}

/** Returns the focus to the opener after closing. A dialog that unmounts while open does not do so by itself. */
function useFocusReturn(isOpen: boolean): void {
  const [isOpenFromStart] = useState(isOpen)
  useLayoutEffect(() => {
    const opener = document.activeElement
    if (!isOpenFromStart || !(opener instanceof HTMLElement)) return
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener.focus({ preventScroll: true })
      })
    }
  }, [isOpenFromStart])
}
