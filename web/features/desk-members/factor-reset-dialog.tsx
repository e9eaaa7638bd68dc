import { limits } from '@atrium/contract/limits.ts'
import { resetMemberFactors } from '@atrium/contract/security.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Group, Modal, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import parts from './member-detail.module.css'
import { type DeskMember, useMemberAct } from './use-members.ts'

/** For somebody who lost phone and codes. The server asks for a fresh proof before; the frame of the desk shows it. */
export function FactorResetDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const reset = useMemberAct(resetMemberFactors, member._id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(reason.trim() === '')
    if (reason.trim() === '' || reset.isPending) return
    reset.mutateAsync({ reason }).then(
      () => {
        notice.done(t('The second factor of {{name}} is removed. A mail tells them.', { name: member.name }))
        onClose()
      },
      () => undefined, // Said in the dialog.
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Reset the second factor of {{name}}?', { name: member.name })}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <p>
          {t(
            'App, passkeys and recovery codes stop working, every device is signed out, and the password alone signs in until a new one is set up. Withdrawals are held for {{hours}} hours where your settings say so. The member is told by mail. Make sure that it is them who ask.',
            { hours: limits.withdrawalHoldHours },
          )}
        </p>
        <Textarea
          label={t('Why')}
          description={t('For colleagues, e.g. how you made sure who asks. It is kept.')}
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
        {reset.error && <Callout meaning="red">{t(reset.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={reset.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button type="submit" {...dangerousButton} loading={reset.isPending}>
            {t('Reset second factor')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
