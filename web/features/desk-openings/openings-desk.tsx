import { limits } from '@atrium/contract/limits.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { readerLanguage } from '../../ui/format.ts'
import { NoMatches } from '../../ui/no-matches.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Turning } from '../../ui/turning.tsx'
import { WorkPage } from '../../ui/work-page.tsx'
import { OpeningRow } from './opening-row.tsx'
import { filtersOf, type OpeningSearch, readOpeningSearch } from './opening-search.ts'
import parts from './openings.module.css'
import { OpeningsBar } from './openings-bar.tsx'
import { openingsQuery } from './use-openings.ts'

const bones = ['first', 'second', 'third', 'fourth', 'fifth']

/** What all members have asked to have opened and what became of it, the newest first. */
export function OpeningsDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = readOpeningSearch(useSearch({ strict: false }))
  const page = useQuery(openingsQuery(search))
  const { data } = page
  const go = (next: OpeningSearch) => navigate({ to: '/openings', search: next })
  const isFiltered = Object.keys(filtersOf(search)).length > 0
  const shown = new Intl.NumberFormat(readerLanguage()).format(data?.total ?? 0)
  return (
    <WorkPage help={t('Accounts that members applied for, with their outcome.')}>
      <OpeningsBar search={search} platforms={data?.platforms ?? []} onSearch={go} />
      <Card>
        {page.isError && !data && (
          <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
        )}
        {data?.openings.length === 0 &&
          (isFiltered ? (
            <NoMatches onClear={() => go({})} />
          ) : (
            <EmptyState
              drawing="accounts"
              title={t('No applications yet')}
              text={t('New entries appear here automatically.')}
            />
          ))}
        {!page.isError && data?.openings.length !== 0 && (
          <ul className={parts.list} aria-label={t('Account applications')} aria-busy={!data || page.isPlaceholderData}>
            {data
              ? data.openings.map((opening) => <OpeningRow key={opening._id} opening={opening} mayDecide={mayDecide} />)
              : bones.map((bone) => (
                  <li key={bone} className={`${parts.row} ${parts.spaced}`} aria-hidden>
                    <Skeleton height={12} width="40%" mb={8} />
                    <Skeleton height={10} width="60%" />
                  </li>
                ))}
          </ul>
        )}
      </Card>
      {data && data.openings.length > 0 && (
        <Turning marks={data} words="times" onTurn={(turn) => go({ ...filtersOf(search), ...turn })}>
          {data.total >= limits.countedMax
            ? t('{{shown}} applications and more', { shown })
            : t('Applications: {{shown}}', { shown })}
        </Turning>
      )}
    </WorkPage>
  )
}
