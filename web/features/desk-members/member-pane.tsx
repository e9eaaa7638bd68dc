import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { MemberDetail } from './member-detail.tsx'
import type { MemberRights } from './member-rights.ts'
import { type DeskMember, memberQuery } from './use-members.ts'

type MemberPaneProps = {
  memberId: string
  rights: MemberRights
  trail: (memberId: string) => ReactNode
  openings: (openings: DeskMember['openings']) => ReactNode
}

export function MemberPane({ memberId, rights, trail, openings }: MemberPaneProps) {
  const member = useQuery(memberQuery(memberId))
  return (
    <>
      {member.data && (
        <MemberDetail
          member={member.data}
          rights={rights}
          trail={trail(memberId)}
          openings={openings(member.data.openings)}
        />
      )}
      {!member.data && !member.isError && <LoadingSkeleton />}
      {!member.data && member.isError && <Missing error={member.error} onRetry={() => member.refetch()} />}
    </>
  )
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  // A malformed id is refused with 422.
  const isGone = error instanceof ApiError && [404, 422].includes(error.status)
  if (isGone) return <EmptyState drawing="search" title={t('Member not found')} text={t('The address may be wrong.')} />
  return <ErrorState error={error} holds={t('Nothing was changed.')} onRetry={onRetry} />
}

function LoadingSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={parts.detail} role="status" aria-label={t('Loading')}>
      <Skeleton height={48} width={280} />
      <Skeleton height={180} radius="lg" />
      <Skeleton height={180} radius="lg" />
    </div>
  )
}
