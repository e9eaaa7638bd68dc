import { limits } from '@atrium/contract/limits.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../ui/confirm.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Ago } from '../../ui/moment.tsx'
import { notice } from '../../ui/notice.ts'
import { Card, Section } from '../../ui/page.tsx'
import rowParts from '../../ui/rows.module.css'
import { Tag } from '../../ui/status-pill.tsx'
import { type OwnSession, type SessionSource, useEndSession, useOwnSessions } from './use-own-sessions.ts'

/** Everywhere that this person's account is open right now, and the way to close it. */
export function OwnSessions({ source }: { source: SessionSource }) {
  const { t } = useTranslation()
  const { data: sessions, error, refetch } = useOwnSessions(source)
  const { end, endOthers, isEnding } = useEnding(source)
  return (
    <Section
      title={t('Where you are signed in')}
      more={
        sessions?.some(({ current }) => !current) && (
          <Button variant="default" size="xs" loading={isEnding('others')} onClick={endOthers}>
            {t('Sign out all others')}
          </Button>
        )
      }
    >
      <Card>
        {error && !sessions ? (
          <ErrorState error={error} onRetry={() => refetch()} />
        ) : (
          <ul className={rowParts.list} aria-busy={!sessions}>
            {sessions
              ? sessions.map((session) => (
                  <SessionRow
                    key={session._id}
                    session={session}
                    isEnding={isEnding(session._id)}
                    onEnd={() => end(session)}
                  />
                ))
              : [<SessionBone key="first" />, <SessionBone key="second" />]}
          </ul>
        )}
      </Card>
    </Section>
  )
}

function useEnding(source: SessionSource) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const ending = useEndSession(source)
  const say = {
    onSuccess: ({ msg }: { msg: string[] }) => notice.done(msg.map((line) => t(line)).join(' ')),
    onError: (error: Error) => notice.refused(t(error.message), limits.toastMs),
  }
  const ask = async (title: string, body: string, target: { _id: string } | 'others') => {
    const yes = await confirm({ title, body, action: t('Sign out'), isDangerous: true })
    if (yes) ending.mutate(target, say)
  }
  return {
    end: ({ _id, device }: OwnSession) =>
      ask(t('Sign out {{device}}?', { device }), t('Whoever uses it will have to sign in again.'), { _id }),
    endOthers: () => ask(t('Sign out all other devices?'), t('Only this device stays signed in.'), 'others' as const),
    isEnding: (which: string) =>
      ending.isPending && (ending.variables === 'others' ? which === 'others' : ending.variables._id === which),
  }
}

type SessionRowProps = { session: OwnSession; isEnding: boolean; onEnd: () => void }

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation()
  const Icon = /iPhone|iPad|Android/.test(session.device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={rowParts.row}>
      <Icon size={20} stroke={1.5} aria-hidden className={rowParts.icon} />
      <span className={rowParts.grow}>
        <span className={rowParts.strong}>
          {t(session.device)} {session.current && <Tag label={t('This device')} isStrong />}
        </span>
        <span className={rowParts.quiet}>
          {session.address && (
            <>
              {session.address}
              <span aria-hidden>{' \u00b7 '}</span>
            </>
          )}
          {t('Last seen')} <Ago at={session.last_seen_at} />
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

function SessionBone() {
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
