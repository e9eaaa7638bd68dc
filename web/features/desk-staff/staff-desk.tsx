import { Button, Skeleton } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import parts from './staff-desk.module.css'
import { StaffListRow } from './staff-list-row.tsx'
import { type StaffRow, staffQuery } from './use-staff.ts'

const skeleton = ['first', 'second', 'third']

/** Staff members with their roles, and open invitations. */
export function StaffDesk() {
  const { t } = useTranslation()
  const { data: staff, error, refetch } = useQuery(staffQuery)
  const [isInviting, setInviting] = useState(false)
  const [changing, setChanging] = useState<StaffRow | null>(null)
  return (
    <WorkPage
      help={t('Everybody who works at this desk. What each of them does is in the audit log.')}
      actions={
        <Button leftSection={<IconUserPlus size={18} stroke={1.5} aria-hidden />} onClick={() => setInviting(true)}>
          {t('Invite a colleague')}
        </Button>
      }
    >
      <Card>
        {error && !staff ? (
          <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
        ) : (
          <ul className={parts.list} aria-label={t('Staff')} aria-busy={!staff}>
            {staff
              ? staff.map((person) => (
                  <StaffListRow key={person._id} person={person} onChangeRole={() => setChanging(person)} />
                ))
              : skeleton.map((key) => (
                  <li key={key} className={parts.row} aria-hidden>
                    <span className={parts.grow}>
                      <Skeleton height={12} width="30%" mb={8} />
                      <Skeleton height={10} width="45%" />
                    </span>
                    <Skeleton height={20} width={72} radius={999} />
                  </li>
                ))}
          </ul>
        )}
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {changing && <RoleDialog key={changing._id} person={changing} onClose={() => setChanging(null)} />}
    </WorkPage>
  )
}
