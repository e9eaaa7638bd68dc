import type { StaffRole } from '@atrium/contract/desk-rights.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { RoleChoice } from './role-choice.tsx'
import parts from './staff-desk.module.css'
import { roleWords } from './staff-words.ts'
import { type StaffRow, useStaffDeed } from './use-staff.ts'

/** Opened anew for each person (by its key), so that it begins with their role. */
export function RoleDialog({ person, onClose }: { person: StaffRow; onClose: () => void }) {
  const { t } = useTranslation()
  const [role, setRole] = useState(person.role as StaffRole)
  const deed = useStaffDeed()
  const save = () =>
    deed.mutate(
      { deed: 'role', id: person._id, role },
      {
        onSuccess: () => {
          notice.done(t('{{name}} is {{role}} now.', { name: person.name, role: t(roleWords[role].name) }))
          onClose()
        },
      },
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Role of {{name}}', { name: person.name })}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.form}>
        {deed.error && <Callout meaning="red">{t(deed.error.message)}</Callout>}
        <RoleChoice value={role} onChange={setRole} />
        <p className={parts.quiet}>{t('It takes effect with their next action. They stay signed in.')}</p>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button loading={deed.isPending} onClick={save}>
            {t('Change role')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
