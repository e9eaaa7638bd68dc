import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import parts from './member-detail.module.css'

type ReasonDialogProps = {
  title: string
  /** What follows from it. */
  consequence: string
  reasonHelp?: string
  action: string
  notNow: string
  /** What can be taken back as easily needs no button of danger. */
  isCalm?: boolean
  isPending: boolean
  error: Error | null
  /** What else has to be right before it goes; it shows its own error once `isTried`. */
  more?: { field: (isTried: boolean) => ReactNode; isRight: boolean }
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** An act that a member feels: it says what follows, and is not done without saying why. */
export function ReasonDialog({ more, onConfirm, onClose, isPending, error, ...words }: ReasonDialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = reason.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isMissing && more?.isRight !== false && !isPending) onConfirm(reason)
  }
  return (
    <Modal opened onClose={onClose} title={words.title} size={480} closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={parts.form} onSubmit={submit} noValidate>
        <p>{words.consequence}</p>
        {more?.field(isTried)}
        <Textarea
          label={t('Why')}
          description={words.reasonHelp}
          required
          data-autofocus={more ? undefined : true}
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          error={isTried && isMissing && t(deskTexts.reasonMissing)}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {error && <Callout meaning="red">{t(error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {words.notNow}
          </Button>
          <Button type="submit" {...(words.isCalm ? {} : dangerousButton)} loading={isPending}>
            {words.action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
