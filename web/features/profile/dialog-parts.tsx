import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Question, useConfirm } from '../../ui/confirm.tsx'
import { Callout } from '../../ui/state.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import parts from './profile-dialogs.module.css'
import { isConflict } from './use-save-profile.ts'

export type DialogTools = {
  /** Closes, after asking where something would be lost. */
  onCancel: () => void
  onSaved: () => void
  /** Told by the form whenever that changes. */
  onDirty: (isDirty: boolean) => void
  confirm: (question: Question) => Promise<boolean>
}

type FormDialogProps = {
  title: string
  size: number
  isOpen: boolean
  onClose: () => void
  children: (tools: DialogTools) => ReactNode
}

/** A form in a dialog: what was filled in is not lost to a wrong key. */
export function FormDialog({ title, size, isOpen, onClose, children }: FormDialogProps) {
  const { t } = useTranslation()
  const ask = useConfirm()
  const [isDirty, setDirty] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { mayLeave, isAsking } = useUnsavedGuard({ isDirty: isOpen && isDirty })
  const hasQuestion = isAsking || isConfirming
  const leave = () => {
    setDirty(false)
    onClose()
  }
  const close = async () => {
    if (await mayLeave()) leave()
  }
  const confirm = async (question: Question) => {
    setConfirming(true)
    const yes = await ask(question)
    setConfirming(false)
    return yes
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={!hasQuestion}
      trapFocus={!hasQuestion}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {children({ onCancel: close, onSaved: leave, onDirty: setDirty, confirm })}
    </Modal>
  )
}

type SaveProblemProps = { error: Error | null; now: string }

/** What no field can show. Of a change made elsewhere: what is kept now, so that saving again replaces it knowingly. */
export function SaveProblem({ error, now }: SaveProblemProps) {
  const { t } = useTranslation()
  if (!error) return null
  if (!isConflict(error)) return <Callout meaning="red">{t(error.message)}</Callout>
  return (
    <Callout meaning="amber">
      {t(error.message)} {t('Kept now: {{now}}. Save again to replace it.', { now: now || t('nothing') })}
    </Callout>
  )
}

type DialogButtonsProps = { isSaving: boolean; onCancel: () => void; aside?: ReactNode; save?: string }

export function DialogButtons({ isSaving, onCancel, aside, save }: DialogButtonsProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.buttons}>
      {aside && <div className={parts.aside}>{aside}</div>}
      <Button variant="default" disabled={isSaving} onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <Button type="submit" loading={isSaving}>
        {save ?? t('Save')}
      </Button>
    </div>
  )
}
