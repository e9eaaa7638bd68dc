import { changeMemberDetails } from '@atrium/contract/members/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { TextInput } from '@mantine/core'
import { useOpened } from '../../forms/use-opened.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { type DeskMember, memberQuery, useMemberAct } from './use-members.ts'

type Details = NonNullable<DeskMember['details']>
type DetailsDialogProps = { member: DeskMember; details: Details; onClose: () => void }

/** Legal name and email, which a member can change only by request. */
export function DetailsDialog({ member, details, onClose }: DetailsDialogProps) {
  const { t } = useTranslation()
  const { opened, takeNewer } = useOpened({
    row: details,
    newest: (queries) => queries.getQueryData(memberQuery(member._id).queryKey)?.details ?? undefined,
    refusals: [deskTexts.memberChangedElsewhere],
  })
  const { version, ...before } = opened
  const change = useMemberAct(changeMemberDetails, member._id)
  const labels = { first_name: 'First name', last_name: 'Last name', email: 'Email' }
  const names = ['first_name', 'last_name', 'email'] as const
  const check = (written: typeof before) => {
    const empty = names.filter((name) => written[name].trim() === '')
    const isChanged = names.some((name) => written[name].trim() !== before[name])
    return {
      ...(!isChanged && { first_name: ['Nothing is changed yet.'] }),
      ...Object.fromEntries(empty.map((name) => [name, ['Please fill in this field.']])),
    }
  }
  return (
    <ReasonDialog
      title={t('Change the name or email of {{name}}', member)}
      consequence={t(
        'The member is signed out everywhere and notified by email, at the old and at the new address. Withdrawals are held for the time set by the brokerage.',
      )}
      reasonHelp={t('Visible to staff only.')}
      action={t('Save change')}
      notNow={t('Cancel')}
      start={before}
      labels={labels}
      check={check}
      fields={(form) =>
        names.map((name, at) => (
          <TextInput
            key={name}
            label={t(labels[name])}
            description={
              form.values[name].trim() === before[name] ? undefined : t('Now: {{value}}', { value: before[name] })
            }
            type={name === 'email' ? 'email' : 'text'}
            required
            data-autofocus={at === 0 || undefined}
            size="sm"
            autoComplete="off"
            error={form.errorOf(name)}
            value={form.values[name]}
            onChange={(event) => form.change({ [name]: event.currentTarget.value })}
          />
        ))
      }
      send={(values) => change.mutateAsync({ ...values, version })}
      onRefused={(error, sent) => {
        const newer = takeNewer(error)
        const untouched = names.filter((name) => sent[name] === before[name])
        return newer && Object.fromEntries(untouched.map((name) => [name, newer[name]]))
      }}
      done={t('The details of member {{number}} were changed.', { number: member.customer_number })}
      onClose={onClose}
    />
  )
}
