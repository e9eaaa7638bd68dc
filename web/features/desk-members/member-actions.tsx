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
  const [asked, setAsked] = useState<Asked | null>(null)
  const act = useActs(member)
  const ask = (dialog: Asked['dialog']) => () => setAsked({ dialog, member })
  return (
    <div data-group="sm">
      {member.status !== 'erased' && <Buttons member={member} rights={rights} act={act} ask={ask} />}
      {asked && <Dialog {...asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

/** With the member as they were then: the dialog stays, with what is typed in it, when a colleague erases them. */
type Asked = { dialog: 'details' | 'lock' | 'factor' | 'erase'; member: DeskMember }

function Dialog({ dialog, member, onClose }: Asked & { onClose: () => void }) {
  if (dialog === 'lock') return <LockDialog member={member} onClose={onClose} />
  if (dialog === 'factor') return <FactorResetDialog member={member} onClose={onClose} />
  if (dialog === 'erase') return <EraseDialog member={member} onClose={onClose} />
  return member.details && <DetailsDialog member={member} details={member.details} onClose={onClose} />
}

type ButtonsProps = MemberActionsProps & {
  act: ReturnType<typeof useActs>
  ask: (dialog: Asked['dialog']) => () => void
}

function Buttons({ member, rights, act, ask }: ButtonsProps) {
  const { t } = useTranslation()
  const isLocked = member.status === 'locked'
  const isInvited = member.status === 'invited'
  return (
    <>
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
        <Button size="xs" variant="default" onClick={isLocked ? act.unlock : ask('lock')}>
          {isLocked ? t('Unlock sign-in') : t('Lock sign-in')}
        </Button>
      )}
      {rights.mayChange && member.details && (
        <Button size="xs" variant="default" onClick={ask('details')}>
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
            {hasSecondFactor(member) && <Menu.Item onClick={ask('factor')}>{t('Reset second factor')}</Menu.Item>}
            <Menu.Item disabled={act.isSaving} onClick={act.save}>
              {t('Export this member’s data')}
            </Menu.Item>
            <Menu.Item onClick={ask('erase')}>{t('Erase this member')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
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
