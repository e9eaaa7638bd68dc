import { eraseMember } from '@atrium/contract/desk-members.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import parts from './member-detail.module.css'
import { type DeskMember, useMemberAct } from './use-members.ts'

/** The one act that nothing takes back: the number is typed by hand. */
export function EraseDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [number, setNumber] = useState('')
  const [isTried, setTried] = useState(false)
  const erase = useMemberAct(eraseMember, member._id)
  const isNumberRight = number.trim() === member.customer_number
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reason.trim() === '' || !isNumberRight || erase.isPending) return
    erase.mutate(
      { reason, customer_number: number },
      {
        onSuccess: () => {
          notice.done(t('Member {{number}} has been erased.', { number }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Erase {{name}} for good?', member)}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <p>
          {t(
            'Name, contacts, addresses, devices and mails go. Money and the audit log stay, without saying whose they were. Nobody can sign in as this member again, and it cannot be taken back.',
          )}
        </p>
        <TextInput
          label={t('Customer number')}
          description={t('Type {{number}} to show that you mean this member.', { number: member.customer_number })}
          required
          data-autofocus
          size="sm"
          autoComplete="off"
          error={isTried && !isNumberRight && t(texts.memberNumberWrong)}
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
        <Textarea
          label={t('Why')}
          required
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={limits.commentCharsMax}
          error={isTried && reason.trim() === '' && t(texts.reasonMissing)}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {erase.error && <Callout meaning="red">{t(erase.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={erase.isPending} onClick={onClose}>
            {t('Keep the member')}
          </Button>
          <Button type="submit" {...dangerousButton} loading={erase.isPending}>
            {t('Erase for good')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
