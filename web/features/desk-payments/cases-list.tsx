import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { ForwardPager } from '../../ui/lists/forward-pager.tsx'
import { RowList } from '../../ui/lists/row-list.tsx'
import { CaseRow } from './case-row.tsx'
import parts from './payments.module.css'
import { casesQuery } from './use-payments.ts'

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
          text={t('Payments that differ, arrive late or arrive twice are listed here until they are decided.')}
        />
      </Card>
    )
  return (
    <>
      <Card>
        <RowList label={t('Payments')} looks={parts} skeleton={3}>
          {data?.cases.map((each) => (
            <CaseRow key={each._id} asked={each} mayDecide={mayDecide} />
          ))}
        </RowList>
      </Card>
      <ForwardPager at={after} next={data?.next} onTurn={setAfter} />
    </>
  )
}
