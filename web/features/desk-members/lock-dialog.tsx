import { lockMember } from '@atrium/contract/desk-members.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Group, Modal, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import parts from './member-detail.module.css'
import { type DeskMember, useMemberAct } from './use-members.ts'

export function LockDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const lock = useMemberAct(lockMember, member._id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(reason.trim() === '')
    if (reason.trim() === '' || lock.isPending) return
    lock.mutate(
      { reason },
      {
        onSuccess: () => {
          notice.done(t('{{name}} is locked and signed out everywhere.', member))
          onClose()
        },
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Lock the sign-in of {{name}}?', member)}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <p>
          {t(
            'Every device is signed out at once, open reset links stop working, and nobody can sign in until you unlock it. The member is told by mail, without the reason.',
          )}
        </p>
        <Textarea
          label={t('Why')}
          description={t('For colleagues. It is kept.')}
          required
          data-autofocus
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={limits.commentCharsMax}
          error={isMissing && t(texts.reasonMissing)}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {lock.error && <Callout meaning="red">{t(lock.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={lock.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button type="submit" {...dangerousButton} loading={lock.isPending}>
            {t('Lock sign-in')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
