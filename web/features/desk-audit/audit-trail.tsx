import { Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import parts from './audit.module.css'
import { AuditEntries } from './audit-entries.tsx'
import { auditQuery } from './use-audit.ts'

/** What happened to one member, newest first. */
export function AuditTrail({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const [place, setPlace] = useState<{ after?: string; before?: string }>({})
  const page = useQuery(auditQuery({ member: memberId, limit: 10, ...place }))
  if (page.isError) return <p className={parts.nothing}>{t(page.error.message)}</p>
  if (!page.data) return <Skeleton height={120} />
  const { entries, names, next, previous } = page.data
  if (entries.length === 0) return <p className={parts.nothing}>{t('Nothing yet.')}</p>
  return (
    <>
      <AuditEntries entries={entries} names={names} isBusy={page.isPlaceholderData} isMemberShown={false} />
      {(next || previous) && (
        <Group gap="sm" mt="md" align="center">
          <Link to="/audit" search={{ member: memberId }}>
            {t('Open in the audit log')}
          </Link>
          <Button
            size="compact-xs"
            variant="default"
            disabled={!previous}
            onClick={() => previous && setPlace({ before: previous })}
          >
            {t('Newer')}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={!next}
            onClick={() => next && setPlace({ after: next })}
          >
            {t('Older')}
          </Button>
        </Group>
      )}
    </>
  )
}
