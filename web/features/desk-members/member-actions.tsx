import {
  endMemberSessions,
  exportMember,
  sendMemberResetLink,
  unlockMember,
} from '@atrium/contract/members/desk-calls.ts'
import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveAnswer } from '../../api/save-table.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DetailsDialog } from './details-dialog.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { FactorResetDialog } from './factor-reset-dialog.tsx'
import { LockDialog } from './lock-dialog.tsx'
import type { MemberRights } from './member-rights.ts'
import { hasSecondFactor } from './member-security.tsx'
import { type DeskMember, useMemberAct } from './use-members.ts'

type MemberActionsProps = { member: DeskMember; rights: MemberRights }

/** Staff actions on this member. Each asks for confirmation and names the consequences. */
export function MemberActions({ member, rights }: MemberActionsProps) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'details' | 'lock' | 'factor' | 'erase' | null>(null)
  const act = useActs(member)
  if (member.status === 'erased') return null
  const isLocked = member.status === 'locked'
  const isInvited = member.status === 'invited'
  return (
    <div data-group="sm">
      {rights.mayHelp && !isLocked && !isInvited && (
        <Button size="xs" loading={act.isBusy} onClick={act.sendLink}>
          {t('Send reset link')}
        </Button>
      )}
      {rights.mayHelp && !isInvited && (
        <Button size="xs" variant="default" onClick={act.endAll}>
          {t('Sign out everywhere')}
        </Button>
      )}
      {rights.mayLock && !isInvited && (
        <Button size="xs" variant="default" onClick={isLocked ? act.unlock : () => setDialog('lock')}>
          {isLocked ? t('Unlock sign-in') : t('Lock sign-in')}
        </Button>
      )}
      {rights.mayChange && member.details && (
        <Button size="xs" variant="default" onClick={() => setDialog('details')}>
          {t('Change name or email')}
        </Button>
      )}
      {rights.mayLock && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" aria-label={t('More')} px={8}>
              <IconDots size={16} stroke={1.5} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {hasSecondFactor(member) && (
              <Menu.Item onClick={() => setDialog('factor')}>{t('Reset second factor')}</Menu.Item>
            )}
            <Menu.Item disabled={act.isSaving} onClick={act.save}>
              {t('Export this member’s data')}
            </Menu.Item>
            <Menu.Item onClick={() => setDialog('erase')}>{t('Erase this member')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog === 'details' && member.details && (
        <DetailsDialog member={member} details={member.details} onClose={() => setDialog(null)} />
      )}
      {dialog === 'lock' && <LockDialog member={member} onClose={() => setDialog(null)} />}
      {dialog === 'factor' && <FactorResetDialog member={member} onClose={() => setDialog(null)} />}
      {dialog === 'erase' && <EraseDialog member={member} onClose={() => setDialog(null)} />}
    </div>
  )
}

/** Notifies of the outcome even when a refetch unmounts this part of the page. */
function useActs(member: DeskMember) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const reset = useMemberAct(sendMemberResetLink, member._id)
  const end = useMemberAct(endMemberSessions, member._id)
  const unlock = useMemberAct(unlockMember, member._id)
  const everything = useMutation({
    mutationFn: (path: string) => saveAnswer({ path, method: 'POST', name: `member-${member.customer_number}.zip` }),
  })
  const onError = (error: Error) => toast.refused(t(error.message))
  const values = { name: member.name, email: member.email }
  return {
    isBusy: reset.isPending,
    isSaving: everything.isPending,
    async sendLink() {
      const body = t(
        'A link to set a new password goes to {{email}}. It works once and for an hour; earlier ones stop working. Nobody here sees it.',
        values,
      )
      if (!(await confirm({ title: t('Send {{name}} a reset link?', values), body, action: t('Send the link') })))
        return
      reset.mutateAsync({}).then(() => toast.done(t('A reset link is on its way to {{email}}.', values)), onError)
    },
    async endAll() {
      const body = t(
        'Every device is signed out at once, and reset links stop working. The password stays as it is, so {{name}} can sign in again.',
        values,
      )
      if (
        !(await confirm({ title: t('Sign {{name}} out everywhere?', values), body, action: t('Sign out everywhere') }))
      )
        return
      end.mutateAsync({}).then(({ ended }) => toast.done(t('Sessions ended: {{ended}}.', { ended })), onError)
    },
    async unlock() {
      const body = t('{{name}} can sign in again with the same password, and is notified by email.', values)
      if (!(await confirm({ title: t('Unlock the sign-in of {{name}}?', values), body, action: t('Unlock sign-in') })))
        return
      unlock
        .mutateAsync({ seen: member.lock?.at })
        .then(() => toast.done(t('{{name}} can sign in again.', values)), onError)
    },
    async save() {
      const body = t(
        'The archive contains the data stored about {{name}}: a readable page, a machine-readable copy, and the files. Internal notes are not included. The export is recorded in the audit log.',
        values,
      )
      if (!(await confirm({ title: t('Export the data of {{name}}?', values), body, action: t('Export') }))) return
      toast.done(t('The export is being prepared. It may take a while.'))
      const path = exportMember.path.replace(':id', member._id)
      everything.mutateAsync(path).catch(onError)
    },
  }
}
