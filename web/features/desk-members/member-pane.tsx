import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RecordError } from '../../ui/feedback/record-error.tsx'
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
  const { t } = useTranslation()
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
      {!member.data && member.isError && (
        <RecordError
          error={member.error}
          notFound={t('Member not found')}
          holds={t('Nothing was changed.')}
          onRetry={() => member.refetch()}
        />
      )}
    </>
  )
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
