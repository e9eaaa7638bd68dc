import { changeMemberDetails } from '@atrium/contract/desk-members.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/notice.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { type DeskMember, useMemberAct } from './use-members.ts'

type Details = NonNullable<DeskMember['details']>
type DetailsDialogProps = { member: DeskMember; details: Details; onClose: () => void }

/** The legal name and the email: what a member can only ask for. */
export function DetailsDialog({ member, details, onClose }: DetailsDialogProps) {
  const { t } = useTranslation()
  // As they were when the dialog opened: what a colleague changes meanwhile is refused, not overwritten.
  const [{ version, ...before }] = useState(details)
  const [written, setWritten] = useState(before)
  const change = useMemberAct(changeMemberDetails, member._id)
  const wrong = change.error instanceof ApiError ? change.error.fieldErrors : {}
  const labels = { first_name: t('First name'), last_name: t('Last name'), email: t('Email') }
  const names = ['first_name', 'last_name', 'email'] as const
  const isChanged = names.some((name) => written[name].trim() !== before[name])
  const errorOf = (name: (typeof names)[number], isTried: boolean) => {
    if (wrong[name]) return wrong[name].map((message) => t(message)).join(' ')
    if (!isTried) return undefined
    if (written[name].trim() === '') return t('Please fill in this field.')
    return isChanged || name !== 'first_name' ? undefined : t('Nothing is changed yet.')
  }
  const fields = (isTried: boolean) =>
    names.map((name, at) => (
      <TextInput
        key={name}
        label={labels[name]}
        description={written[name].trim() === before[name] ? undefined : t('Now: {{value}}', { value: before[name] })}
        type={name === 'email' ? 'email' : 'text'}
        required
        data-autofocus={at === 0 || undefined}
        size="sm"
        autoComplete="off"
        error={errorOf(name, isTried)}
        value={written[name]}
        onChange={(event) => setWritten({ ...written, [name]: event.currentTarget.value })}
      />
    ))
  const onSuccess = () => {
    notice.done(t('The details of member {{number}} were changed.', { number: member.customer_number }))
    onClose()
  }
  return (
    <ReasonDialog
      title={t('Change the name or email of {{name}}', member)}
      consequence={t(
        'The member is signed out everywhere and notified by email, at the old and at the new address. Withdrawals are held for the time that the workspace has set.',
      )}
      reasonHelp={t('Visible to staff only.')}
      action={t('Save change')}
      notNow={t('Cancel')}
      isPending={change.isPending}
      error={Object.keys(wrong).some((name) => name in before) ? null : change.error}
      more={{ field: fields, isRight: isChanged && names.every((name) => written[name].trim() !== '') }}
      onConfirm={(reason) => change.mutate({ ...written, version, reason }, { onSuccess })}
      onClose={onClose}
    />
  )
}
