import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page.tsx'
import { EmptyState, ErrorState } from '../../ui/state.tsx'
import { WorkPage } from '../../ui/work-page.tsx'
import parts from './desk-accounts.module.css'
import { DifferenceRow } from './difference-row.tsx'
import { differencesQuery } from './use-accounts.ts'

const bones = ['first', 'second', 'third']

/** Where a platform's list of accounts and ours say different things that nobody may guess about. */
export function DifferencesDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(differencesQuery)
  if (data?.total === 0)
    return (
      <WorkPage>
        <Card>
          <EmptyState
            drawing="accounts"
            title={t('Platforms and portal agree')}
            text={t('Each platform’s list of accounts is held against ours every ten minutes.')}
          />
        </Card>
      </WorkPage>
    )
  return (
    <WorkPage
      help={t(
        'What a platform says about accounts and nobody may guess about. The rest is put right by itself, and stands in the audit log.',
      )}
    >
      <Card>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing has been changed.')} />
        ) : (
          <ul className={parts.list} aria-label={t('Differences')} aria-busy={!data}>
            {data
              ? data.differences.map((one) => <DifferenceRow key={one._id} difference={one} mayDecide={mayDecide} />)
              : bones.map((bone) => (
                  <li key={bone} className={parts.row} aria-hidden>
                    <span className={parts.grow}>
                      <Skeleton height={12} width="40%" mb={8} />
                      <Skeleton height={10} width="60%" />
                    </span>
                  </li>
                ))}
          </ul>
        )}
      </Card>
      {data && data.total > data.differences.length && (
        <p className={parts.quiet}>
          {t('The oldest {{shown}} of {{total}}.', { shown: data.differences.length, total: data.total })}
        </p>
      )}
    </WorkPage>
  )
}
