import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { StaffListRow } from './staff-list-row.tsx'
import { type StaffRow, staff } from './use-staff.ts'

/** Staff members with their roles, and open invitations. */
export function StaffPage() {
  const { t } = useTranslation()
  const at = useList(staff, { to: '/staff' })
  const [isInviting, setInviting] = useState(false)
  const [changing, setChanging] = useState<StaffRow | null>(null)
  return (
    <WorkPage
      help={t('Everybody who has access to this desk. The audit log records what each of them does.')}
      actions={
        <Button leftSection={<IconUserPlus size={18} stroke={1.5} aria-hidden />} onClick={() => setInviting(true)}>
          {t('Invite a colleague')}
        </Button>
      }
    >
      <ListRows
        at={at}
        label={t('Staff')}
        holds={t('Nothing was changed.')}
        empty={null}
        row={(person) => <StaffListRow person={person} onChangeRole={() => setChanging(person)} />}
      />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {changing && <RoleDialog key={changing._id} person={changing} onClose={() => setChanging(null)} />}
    </WorkPage>
  )
}
