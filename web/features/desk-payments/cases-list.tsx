import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { ForwardPager } from '../../ui/forward-pager.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { CaseRow } from './case-row.tsx'
import parts from './payments.module.css'
import { casesQuery } from './use-payments.ts'

const bones = ['first', 'second', 'third']

/** Those that wait oldest first, those that are decided newest first; page by page. */
export function CasesList({ state, mayDecide }: { state: 'waiting' | 'closed'; mayDecide: boolean }) {
  const { t } = useTranslation()
  const [after, setAfter] = useState<string>()
  const { data, error, refetch } = useQuery(casesQuery(state, after))
  if (error && !data)
    return (
      <Card>
        <ErrorState error={error} onRetry={() => refetch()} holds={t('No money has moved.')} />
      </Card>
    )
  if (data?.cases.length === 0)
    return (
      <Card>
        <EmptyState
          drawing="list"
          title={state === 'waiting' ? t('Nothing to decide') : t('Nothing decided yet')}
          text={t('A payment that differs, comes late or twice stands here until somebody decides.')}
        />
      </Card>
    )
  return (
    <>
      <Card>
        <ul className={parts.list} aria-label={t('Payments')} aria-busy={!data}>
          {data
            ? data.cases.map((each) => <CaseRow key={each._id} asked={each} mayDecide={mayDecide} />)
            : bones.map((bone) => (
                <li key={bone} className={parts.row} aria-hidden>
                  <Skeleton height={14} width="45%" />
                </li>
              ))}
        </ul>
      </Card>
      <ForwardPager at={after} next={data?.next} onTurn={setAfter} />
    </>
  )
}
