import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { saveTable } from '../../api/save-table.ts'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Panes } from '../../ui/layout/panes.tsx'
import { useIsWide } from '../../ui/layout/use-is-phone.ts'
import { FilterBar, FilterChoice, TableButton } from '../../ui/lists/filter-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DayDetail } from './day-detail.tsx'
import { DaysList } from './days-list.tsx'
import parts from './reconciliation.module.css'
import { methodLabels } from './reconciliation-labels.ts'
import { type ReconciliationSearch, readReconciliationSearch, withFilter } from './reconciliation-search.ts'
import { readReconciliationDay } from './reconciliation-sums.ts'
import { type Days, daysQuery } from './use-reconciliation.ts'

/** Transactions per day according to the portal, providers and platforms, with their mismatches. */
export function ReconciliationDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const search = readReconciliationSearch(useSearch({ strict: false }))
  const asked = readReconciliationDay((useParams({ strict: false }) as { day?: string }).day)
  const navigate = useNavigate()
  const days = useQuery(daysQuery(search))
  // Opens the first day with a mismatch, otherwise the latest.
  const first = days.data?.days.find(({ open }) => open > 0) ?? days.data?.days[0]
  const shown = asked ?? (isWide ? first?.day : undefined)
  return (
    <Panes
      bar={<Filters search={search} data={days.data} />}
      listLabel={t('Days')}
      list={
        <DaysList
          days={days}
          search={search}
          chosen={shown}
          mayDecide={mayDecide}
          onClear={() => navigate({ to: '/reconciliation/{-$day}', params: { day: undefined }, search: {} })}
        />
      }
      detailLabel={t('Day')}
      detailOf={shown}
      detail={
        shown && (
          <>
            {!isWide && <Back search={search} />}
            <DayDetail key={shown} day={shown} search={search} mayDecide={mayDecide} />
          </>
        )
      }
    />
  )
}

function Filters({ search, data }: { search: ReconciliationSearch; data: Days | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const filter = (name: keyof ReconciliationSearch) => (value: string | null) =>
    navigate({
      to: '/reconciliation/{-$day}',
      params: { day: undefined },
      search: withFilter(search, { [name]: value }),
    })
  const of = search.only ? 'differences' : 'sums'
  return (
    <div className={parts.filters}>
      <FilterBar>
        {(['from', 'to'] as const).map((name) => {
          const label = name === 'from' ? t('From') : t('Until')
          return (
            <DateInput
              key={name}
              size="xs"
              aria-label={label}
              placeholder={label}
              value={search[name] ?? ''}
              onChange={filter(name)}
            />
          )
        })}
        <FilterChoice
          label={t('Currency')}
          all={t('Any currency')}
          data={data?.currencies ?? []}
          value={search.currency}
          onChoose={filter('currency')}
        />
        <FilterChoice
          label={t('Method')}
          all={t('Any method')}
          data={(data?.methods ?? []).map((value) => ({ value, label: t(methodLabels(value)) }))}
          value={search.method}
          onChoose={filter('method')}
        />
        <FilterChoice
          label={t('Which days')}
          all={t('All days')}
          data={[{ value: 'differences', label: t('With differences') }]}
          value={search.only}
          onChoose={filter('only')}
        />
        <TableButton
          save={(onBytes) =>
            saveTable('/desk/api/reconciliation/table', { ...search, of }, `reconciliation-${of}.csv`, onBytes)
          }
        />
      </FilterBar>
    </div>
  )
}

function Back({ search }: { search: ReconciliationSearch }) {
  const { t } = useTranslation()
  return (
    <div className={parts.back}>
      <BackLink to="/reconciliation/{-$day}" params={{ day: undefined }} search={search}>
        {t('Back to the days')}
      </BackLink>
    </div>
  )
}
