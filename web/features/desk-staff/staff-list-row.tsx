import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconLock, IconLockOpen, IconLogout, IconMail, IconShieldHalf } from '@tabler/icons-react'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { roleLabels, stateLabels } from './staff-labels.ts'
import parts from './staff-page.module.css'
import { type StaffAction, type StaffRow, useStaffAction } from './use-staff.ts'

type StaffListRowProps = { person: StaffRow; onChangeRole: () => void }

export function StaffListRow({ person, onChangeRole }: StaffListRowProps) {
  const { t } = useTranslation()
  const state = stateLabels[person.state]
  const role = Object.entries(roleLabels).find(([name]) => name === person.role)?.[1].name ?? person.role
  return (
    <div className={parts.row}>
      <span className={parts.grow}>
        <span className={parts.strong}>
          {person.name} {person.self && <Tag label={t('You')} isStrong />}
        </span>
        <span className={parts.quiet}>{person.email}</span>
      </span>
      <span className={parts.facts}>
        <span>{t(role)}</span>
        <span className={parts.quiet}>
          <LastSign person={person} />
        </span>
      </span>
      <span className={parts.state}>
        <StatusPill meaning={state.meaning} label={t(state.label)} />
      </span>
      <StaffMenu person={person} onChangeRole={onChangeRole} />
    </div>
  )
}

function LastSign({ person }: { person: StaffRow }) {
  const { t } = useTranslation()
  if (person.state === 'invited')
    return person.invited_until ? (
      <>
        {t('Link works until')} <Ago at={person.invited_until} />
      </>
    ) : (
      t('The link has expired')
    )
  if (person.last_seen_at === null) return t('Never signed in')
  return (
    <>
      {t('Last seen')} <Ago at={person.last_seen_at} />
    </>
  )
}

function StaffMenu({ person, onChangeRole }: StaffListRowProps) {
  const { t } = useTranslation()
  const { act, isPending } = useActs(person)
  const icon = { size: 18, stroke: 1.5 }
  // Staff cannot change their own account; the placeholder keeps the rows aligned.
  if (person.self) return <span className={parts.noMenu} />
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon aria-label={t('Actions for {{name}}', { name: person.name })} loading={isPending}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconShieldHalf {...icon} />} onClick={onChangeRole}>
          {t('Change role')}
        </Menu.Item>
        {person.state === 'invited' && (
          <Menu.Item leftSection={<IconMail {...icon} />} onClick={() => act('resend')}>
            {t('Send the invitation again')}
          </Menu.Item>
        )}
        {person.sessions > 0 && (
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => act('end-sessions')}>
            {t('Sign out everywhere')}
          </Menu.Item>
        )}
        {person.state === 'locked' ? (
          <Menu.Item leftSection={<IconLockOpen {...icon} />} onClick={() => act('unlock')}>
            {t('Unlock')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLock {...icon} />} onClick={() => act('lock')}>
            {t('Lock')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type Act = 'lock' | 'unlock' | 'end-sessions' | 'resend'
type Question = { title: string; body: string; action: string } | null

function useActs(person: StaffRow) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const task = useStaffAction()
  const { name } = person
  const questions: Record<Act, Question> = {
    lock: {
      title: t('Lock {{name}}?', { name }),
      body: t('They are signed out at once and cannot sign in until they are unlocked.'),
      action: t('Lock'),
    },
    'end-sessions': {
      title: t('Sign out {{name}} everywhere?', { name }),
      body: t('They can sign in again with their password.'),
      action: t('Sign out'),
    },
    unlock: null,
    resend: null,
  }
  const done: Record<Act, string> = {
    lock: t('{{name}} is locked and signed out.', { name }),
    unlock: t('{{name}} may sign in again.', { name }),
    'end-sessions': t('{{name}} is signed out everywhere.', { name }),
    resend: t('A new invitation is on its way to {{name}}.', { name }),
  }
  const act = async (which: Act) => {
    const question = questions[which]
    if (question && !(await confirm({ ...question, isDangerous: true }))) return
    const order: StaffAction = { task: which, id: person._id }
    task.mutate(order, {
      onSuccess: () => toast.done(done[which]),
      onError: (error) => toast.refused(t(error.message)),
    })
  }
  return { act, isPending: task.isPending }
}
