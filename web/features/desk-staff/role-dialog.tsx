import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { RoleChoice } from './role-choice.tsx'
import { roleLabels } from './staff-labels.ts'
import { type StaffRow, useStaffAction } from './use-staff.ts'

/** Keyed by person, so that each opening starts with their role. */
export function RoleDialog({ person, onClose }: { person: StaffRow; onClose: () => void }) {
  const { t } = useTranslation()
  const task = useStaffAction()
  // The role at the opening: the list behind the dialog refreshes.
  const [seen] = useState(person.role)
  const form = useCallForm({
    start: { role: person.role as StaffRole },
    labels: { role: 'Role' },
    send: ({ role }) => task.mutateAsync({ task: 'role', id: person._id, role, seen }).then(() => role),
    onDone: (role) => {
      toast.done(t('{{name}} is {{role}} now.', { name: person.name, role: t(roleLabels[role].name) }))
      onClose()
    },
  })
  return (
    <CallDialog
      form={form}
      title={t('Role of {{name}}', { name: person.name })}
      size={480}
      submit={t('Change role')}
      onClose={onClose}
    >
      <RoleChoice
        value={form.values.role}
        error={form.errorOf('role') ?? null}
        onChange={(role) => form.change({ role })}
      />
      <p>{t('It takes effect with their next action. They stay signed in.')}</p>
    </CallDialog>
  )
}
