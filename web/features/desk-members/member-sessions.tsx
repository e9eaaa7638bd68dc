import { endMemberSession } from '@atrium/contract/members/desk-calls.ts'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { sessionsQuery, useMemberAct } from './use-members.ts'

/** The member's active sessions. */
export function MemberSessions({ memberId, mayEnd }: { memberId: string; mayEnd: boolean }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const sessions = useQuery(sessionsQuery(memberId))
  const end = useMemberAct(endMemberSession, memberId)
  const ask = async (session: { _id: string; device: string }) => {
    const yes = await confirm({
      title: t('Sign out {{device}}?', session),
      body: t('The device has to sign in again.'),
      action: t('Sign out'),
      isDangerous: true,
    })
    if (!yes) return
    await end.mutateAsync({ session_id: session._id }).then(
      () => toast.done(t('{{device}} has been signed out.', session)),
      (error: Error) => toast.refused(t(error.message)),
    )
    // The button is gone with its session.
    await sessions.refetch({ cancelRefetch: false })
    focusHeadingWhenLost()
  }
  if (!sessions.data && sessions.error) return <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />
  if (!sessions.data) return <Skeleton height={60} />
  if (sessions.data.length === 0) return <p className={parts.nothing}>{t('No active sessions.')}</p>
  return (
    <ul data-plain>
      {sessions.data.map((session) => (
        <li key={session._id} className={parts.row}>
          <span className={parts.rowName}>{session.device}</span>
          {mayEnd && (
            <Button
              size="compact-xs"
              variant="default"
              loading={end.isPending && end.variables?.session_id === session._id}
              aria-label={t('End the session of {{device}}', session)}
              onClick={() => ask(session)}
            >
              {t('End')}
            </Button>
          )}
          <span className={parts.rowMore}>
            {session.address ?? t('Unknown address')} {'·'} <Ago at={session.last_seen_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
