import { limits } from '@atrium/contract/limits.ts'
import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { RoleChoice } from './role-choice.tsx'
import { useStaffAction } from './use-staff.ts'

const nobody = { name: '', email: '', role: 'support' as StaffRole }

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const task = useStaffAction()
  const form = useCallForm({
    start: nobody,
    labels: { name: 'Name', email: 'Email', role: 'Role' },
    send: (person) => task.mutateAsync({ task: 'invite', ...person }).then(() => person.email),
    onDone: (email) => {
      toast.done(t('An invitation is on its way to {{email}}.', { email }))
      onClose()
    },
  })
  const { values, errorOf, change } = form
  return (
    <CallDialog
      form={form}
      title={t('Invite a colleague')}
      label={t('Invite a colleague')}
      size={480}
      submit={t('Send invitation')}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        data-autofocus
        charsMax={limits.staffNameCharsMax}
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Email')}
        description={t('A link to set a password goes there. It works once, for {{days}} days.', {
          days: limits.invitationDays,
        })}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        charsMax={limits.loginEmailCharsMax}
        value={values.email}
        error={errorOf('email')}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <RoleChoice value={values.role} error={errorOf('role') ?? null} onChange={(role) => change({ role })} />
    </CallDialog>
  )
}
