import { differenceKinds, differenceStates } from '@atrium/contract/difference-states.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterBar, FilterChoice } from '../../ui/filter-bar.tsx'
import { readerLanguage } from '../../ui/format.ts'
import { NoMatches } from '../../ui/no-matches.tsx'
import { Card } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Turning } from '../../ui/turning.tsx'
import { WorkPage } from '../../ui/work-page.tsx'
import parts from './desk-accounts.module.css'
import { DifferenceRow } from './difference-row.tsx'
import { type DifferenceSearch, filtersOf, readDifferenceSearch, withFilter } from './difference-search.ts'
import { kindWords, stateWords } from './difference-words.ts'
import { differencesQuery } from './use-accounts.ts'

const bones = ['first', 'second', 'third']

/** Where a platform's list of accounts and ours say different things that nobody may guess about. */
export function DifferencesDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = readDifferenceSearch(useSearch({ strict: false }))
  const { data, error, refetch, isPlaceholderData } = useQuery(differencesQuery(search))
  const go = (next: DifferenceSearch) => navigate({ to: '/accounts', search: next })
  const isFiltered = Object.keys(filtersOf(search)).length > 0
  const shown = new Intl.NumberFormat(readerLanguage()).format(data?.total ?? 0)
  const isEmpty = data?.differences.length === 0
  return (
    <WorkPage
      help={t(
        'Differences between platforms and portal that need a decision. The rest is corrected automatically and recorded in the audit log.',
      )}
    >
      <DifferencesBar search={search} platforms={data?.platforms ?? []} onSearch={go} />
      <Card>
        {error && !data && (
          <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing has been changed.')} />
        )}
        {isEmpty && (isFiltered ? <NoMatches onClear={() => go({})} /> : <AllAgree />)}
        {!isEmpty && !(error && !data) && (
          <ul className={parts.list} aria-label={t('Differences')} aria-busy={!data || isPlaceholderData}>
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
      {data && !isEmpty && (
        <Turning marks={data} onTurn={(turn) => go({ ...filtersOf(search), ...turn })}>
          {data.total >= limits.countedMax
            ? t('{{shown}} differences and more', { shown })
            : t('Differences: {{shown}}', { shown })}
        </Turning>
      )}
    </WorkPage>
  )
}

function AllAgree() {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="accounts"
      title={t('Platforms and portal agree')}
      text={t('Each platform’s accounts are compared with ours every ten minutes.')}
    />
  )
}

type BarProps = {
  search: DifferenceSearch
  platforms: { _id: string; name: string }[]
  onSearch: (search: DifferenceSearch) => void
}

function DifferencesBar({ search, platforms, onSearch }: BarProps) {
  const { t } = useTranslation()
  const filter = (name: keyof DifferenceSearch) => (value: string | null) =>
    onSearch(withFilter(search, { [name]: value }))
  return (
    <FilterBar>
      <Select
        size="xs"
        aria-label={t('Status')}
        allowDeselect={false}
        data={differenceStates.map((value) => ({ value, label: t(stateWords[value]) }))}
        value={search.state ?? 'open'}
        onChange={filter('state')}
      />
      <FilterChoice
        label={t('What differs')}
        all={t('Anything')}
        data={differenceKinds.map((value) => ({ value, label: t(kindWords[value].label) }))}
        value={search.kind}
        onChoose={filter('kind')}
      />
      <FilterChoice
        label={t('Platform')}
        all={t('Any platform')}
        data={platforms.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={search.platform}
        onChoose={filter('platform')}
      />
    </FilterBar>
  )
}
