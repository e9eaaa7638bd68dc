import { Modal } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../feedback/confirm.tsx'
import type { Question } from '../feedback/confirm-dialog.tsx'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

export type DialogTools = {
  /** Closes, after asking where something would be lost. */
  onCancel: () => void
  onSaved: () => void
  /** Told by the form whenever that changes. */
  onDirty: (isDirty: boolean) => void
  confirm: (question: Question) => Promise<boolean>
}

type FormDialogProps = {
  /** Where the specification names the dialog. */
  id?: string
  title: string
  size: number
  isOpen: boolean
  onClose: () => void
  /** It has left the screen. */
  onGone?: (() => void) | undefined
  /** Closed by its own control at the top alone: neither a click beside it nor a key takes the form away. */
  isFirm?: boolean
  /** Of a form that is held outside; one inside tells it by `onDirty`. */
  isDirty?: boolean
  /** It has been sent and is not answered yet. */
  isBusy?: boolean
  children: (tools: DialogTools) => ReactNode
}

/** A form in a dialog: what was filled in is not lost to a wrong key. */
export function FormDialog({ id, title, size, isOpen, onClose, isFirm = false, children, ...form }: FormDialogProps) {
  const { t } = useTranslation()
  const ask = useConfirm()
  const [isDirtyInside, setDirty] = useState(false)
  const isDirty = form.isDirty ?? isDirtyInside
  const [isConfirming, setConfirming] = useState(false)
  useFocusReturn(isOpen)
  const { mayLeave, isAsking } = useUnsavedGuard({ isDirty: isOpen && isDirty })
  const hasQuestion = isAsking || isConfirming
  const leave = () => {
    setDirty(false)
    onClose()
  }
  const close = async () => {
    if (!form.isBusy && (await mayLeave())) leave()
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
      onClose={close}
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

/** Whoever opened a dialog has the focus again once it is gone. One that is never seen closed does not do so by itself. */
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
