import { eraseMember } from '@atrium/contract/desk-members.ts'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { type DeskMember, useMemberAct } from './use-members.ts'

/** The one act that nothing takes back: the number is typed by hand. */
export function EraseDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const [number, setNumber] = useState('')
  const erase = useMemberAct(eraseMember, member._id)
  const isRight = number.trim() === member.customer_number
  const onSuccess = () => {
    notice.done(t('Member {{number}} has been erased.', { number }))
    onClose()
  }
  const numberField = (isTried: boolean) => (
    <TextInput
      label={t('Customer number')}
      description={t('Type {{number}} to confirm that you mean this member.', { number: member.customer_number })}
      required
      data-autofocus
      size="sm"
      autoComplete="off"
      error={isTried && !isRight && t(deskTexts.memberNumberWrong)}
      value={number}
      onChange={(event) => setNumber(event.currentTarget.value)}
    />
  )
  return (
    <ReasonDialog
      title={t('Erase {{name}} permanently?', member)}
      consequence={t(
        'Name, contacts, addresses, devices and emails are deleted. Transactions and the audit log stay, without naming the member. Nobody can sign in as this member again. This cannot be undone.',
      )}
      action={t('Erase permanently')}
      notNow={t('Keep the member')}
      isPending={erase.isPending}
      error={erase.error}
      more={{ field: numberField, isRight }}
      onConfirm={(reason) => erase.mutate({ reason, customer_number: number }, { onSuccess })}
      onClose={onClose}
    />
  )
}
