import { Button, Skeleton } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, Section } from '../../ui/layout/page.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import rowParts from '../../ui/lists/rows.module.css'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type OwnSession, ownSessions, type SessionSource, useEndSession } from './use-own-sessions.ts'

/** The sessions of this account, each with a button to end it. */
export function OwnSessions({ source }: { source: SessionSource }) {
  const { t } = useTranslation()
  const at = useList(ownSessions(source), { to: source.to, ...inPlace })
  const { data, error, refetch } = at.page
  const { end, endOthers, isEnding, error: problem } = useEnding(source)
  const hasOthers = data?.answer.some(({ sessions }) => sessions.some(({ current }) => !current))
  return (
    <Section
      title={t('Active sessions')}
      more={
        hasOthers && (
          <Button variant="default" size="xs" loading={isEnding('others')} onClick={endOthers}>
            {t('Sign out all others')}
          </Button>
        )
      }
    >
      <Card>
        {problem && (
          <div data-pad="md lg">
            <Refusal messages={[problem.message]} isUnknown={false} />
          </div>
        )}
        {error && !data ? (
          <ErrorState error={error} onRetry={() => refetch()} />
        ) : (
          <ul className={rowParts.list} aria-busy={!at.rows}>
            {at.rows
              ? at.rows.map(({ _id, sessions }) => (
                  <SessionRows key={_id} sessions={sessions} isEnding={isEnding} onEnd={end} />
                ))
              : [<SessionSkeleton key="first" />, <SessionSkeleton key="second" />]}
          </ul>
        )}
        <ListPages at={at} />
      </Card>
    </Section>
  )
}

function useEnding(source: SessionSource) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const ending = useEndSession(source)
  const onSuccess = ({ msg }: { msg: string[] }) => toast.done(msg.map((line) => t(line)).join(' '))
  const ask = async (title: string, body: string, target: { _id: string } | 'others') => {
    const yes = await confirm({ title, body, action: t('Sign out'), isDangerous: true })
    if (yes) ending.mutate(target, { onSuccess })
  }
  return {
    error: ending.error,
    end: ({ _id, device }: OwnSession) =>
      ask(t('Sign out {{device}}?', { device }), t('The device has to sign in again.'), { _id }),
    endOthers: () => ask(t('Sign out all other devices?'), t('Only this device stays signed in.'), 'others' as const),
    isEnding: (which: string) =>
      ending.isPending && (ending.variables === 'others' ? which === 'others' : ending.variables._id === which),
  }
}

type SessionRowsProps = {
  sessions: OwnSession[]
  isEnding: (which: string) => boolean
  onEnd: (session: OwnSession) => void
}

/** The latest session of a device at an address, with its earlier ones behind a button. */
function SessionRows({ sessions, isEnding, onEnd }: SessionRowsProps) {
  const { t } = useTranslation()
  const [isUnfolded, setUnfolded] = useState(false)
  const shown = isUnfolded ? sessions : sessions.slice(0, 1)
  const rest = sessions.length - 1
  return (
    <>
      {shown.map((session, index) => (
        <SessionRow
          key={session._id}
          session={session}
          isEnding={isEnding(session._id)}
          onEnd={() => onEnd(session)}
          more={
            index === 0 &&
            rest > 0 && (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-expanded={isUnfolded}
                onClick={() => setUnfolded(!isUnfolded)}
              >
                {isUnfolded
                  ? t('Show fewer')
                  : t(rest === 1 ? '1 earlier sign-in' : '{{number}} earlier sign-ins', { number: rest })}
              </Button>
            )
          }
        />
      ))}
    </>
  )
}

type SessionRowProps = { session: OwnSession; isEnding: boolean; onEnd: () => void; more: ReactNode }

function SessionRow({ session, isEnding, onEnd, more }: SessionRowProps) {
  const { t } = useTranslation()
  const Icon = /iPhone|iPad|Android/.test(session.device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={rowParts.row}>
      <Icon size={20} stroke={1.5} aria-hidden className={rowParts.icon} />
      <span className={rowParts.grow}>
        <span className={rowParts.strong}>
          {t(session.device)} {session.current && <Tag label={t('This device')} isStrong />} {more}
        </span>
        <span className={rowParts.quiet}>
          {session.address && (
            <>
              {session.address}
              <span aria-hidden>{' \u00b7 '}</span>
            </>
          )}
          {t('Last seen')} <Ago at={session.last_seen_at} />
          <span aria-hidden>{' \u00b7 '}</span>
          {t('Signed in')} <Ago at={session.created_at} />
        </span>
      </span>
      {!session.current && (
        <Button
          variant="default"
          size="xs"
          loading={isEnding}
          onClick={onEnd}
          aria-label={t('Sign out {{device}}', { device: session.device })}
        >
          {t('Sign out')}
        </Button>
      )}
    </li>
  )
}

function SessionSkeleton() {
  return (
    <li className={rowParts.row} aria-hidden>
      <Skeleton height={20} width={20} radius={6} />
      <span className={rowParts.grow}>
        <Skeleton height={12} width="40%" mb={8} />
        <Skeleton height={10} width="55%" />
      </span>
    </li>
  )
}
