import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CursorPager, type Turn } from '../../ui/feedback/cursor-pager.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { listQuery } from '../../ui/lists/list-query.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './audit.module.css'
import { AuditEntryLine } from './audit-entry.tsx'
import { audit } from './use-audit.ts'

/** One member's audit entries, newest first. */
export function AuditTrail({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const [place, setPlace] = useState<Turn | null>(null)
  const page = useQuery(listQuery(audit, { member: memberId, limit: 10, ...place }))
  if (!page.data && page.error) return <ErrorState error={page.error} onRetry={() => page.refetch()} />
  if (!page.data) return <Skeleton height={120} />
  const { rows: entries, next, previous } = page.data
  const { names } = page.data.answer
  if (entries.length === 0) return <p className={parts.nothing}>{t('Nothing yet.')}</p>
  return (
    <>
      <ol className={parts.entries} aria-label={t('Audit log')} aria-busy={page.isPlaceholderData}>
        {entries.map((entry) => (
          <li key={entry._id}>
            <AuditEntryLine entry={entry} names={names} isMemberShown={false} />
          </li>
        ))}
      </ol>
      {(next || previous) && (
        <div data-above="md">
          <CursorPager marks={{ next, previous }} labels="times" onTurn={setPlace}>
            <Link to="/audit" search={{ member: memberId }}>
              {t('Open in the audit log')}
            </Link>
          </CursorPager>
        </div>
      )}
    </>
  )
}
