import { eraseMember } from '@atrium/contract/members/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { type DeskMember, useMemberAct } from './use-members.ts'

/** Erasure is irreversible, so staff must type the member number. */
export function EraseDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const erase = useMemberAct(eraseMember, member._id)
  return (
    <ReasonDialog
      title={t('Erase {{name}} permanently?', member)}
      consequence={t(
        'Name, contacts, addresses, devices and emails are deleted. Transactions and the audit log stay, without naming the member. Nobody can sign in as this member again. This cannot be undone.',
      )}
      action={t('Erase permanently')}
      notNow={t('Keep the member')}
      start={{ customer_number: '' }}
      labels={{ customer_number: 'Customer number' }}
      check={({ customer_number: number }) =>
        number.trim() === member.customer_number ? {} : { customer_number: [deskTexts.memberNumberWrong] }
      }
      fields={({ values, errorOf, change }) => (
        <TextInput
          label={t('Customer number')}
          description={t('Type {{number}} to confirm that you mean this member.', { number: member.customer_number })}
          required
          data-autofocus
          size="sm"
          autoComplete="off"
          error={errorOf('customer_number')}
          value={values.customer_number}
          onChange={(event) => change({ customer_number: event.currentTarget.value })}
        />
      )}
      send={erase.mutateAsync}
      done={t('Member {{number}} has been erased.', { number: member.customer_number })}
      onClose={onClose}
    />
  )
}
