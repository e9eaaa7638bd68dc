import { Select } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { FilterBar, TableButton } from '../../ui/filter-bar.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Panes } from '../../ui/panes.tsx'
import { useIsWide } from '../../ui/use-is-phone.ts'
import { DayDetail } from './day-detail.tsx'
import { DaysList } from './days-list.tsx'
import parts from './reconciliation.module.css'
import { type ReconciliationSearch, readReconciliationSearch, withFilter } from './reconciliation-search.ts'
import { readReconciliationDay } from './reconciliation-sums.ts'
import { methodWords } from './reconciliation-words.ts'
import { type Days, daysQuery } from './use-reconciliation.ts'

/** Day by day what the portal, the payment providers and the platforms say was moved, and where they disagree. */
export function ReconciliationDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const search = readReconciliationSearch(useSearch({ strict: false }))
  const asked = readReconciliationDay((useParams({ strict: false }) as { day?: string }).day)
  const navigate = useNavigate()
  const days = useQuery(daysQuery(search))
  // What disagrees comes first; where all agrees, the latest day.
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
        <DateInput
          size="xs"
          aria-label={t('From')}
          placeholder={t('From')}
          value={search.from ?? ''}
          onChange={filter('from')}
        />
        <DateInput
          size="xs"
          aria-label={t('Until')}
          placeholder={t('Until')}
          value={search.to ?? ''}
          onChange={filter('to')}
        />
        <Select
          size="xs"
          aria-label={t('Currency')}
          placeholder={t('Any currency')}
          clearable
          data={data?.currencies ?? []}
          value={search.currency ?? null}
          onChange={filter('currency')}
        />
        <Select
          size="xs"
          aria-label={t('Method')}
          placeholder={t('Any method')}
          clearable
          data={(data?.methods ?? []).map((value) => ({ value, label: t(methodWords(value)) }))}
          value={search.method ?? null}
          onChange={filter('method')}
        />
        <Select
          size="xs"
          aria-label={t('Which days')}
          placeholder={t('All days')}
          clearable
          data={[{ value: 'differences', label: t('With differences') }]}
          value={search.only ?? null}
          onChange={filter('only')}
        />
        <TableButton
          save={(tell) =>
            saveTable('/desk/api/reconciliation/table', { ...search, of }, `reconciliation-${of}.csv`, tell)
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
      <LinkButton
        to="/reconciliation/{-$day}"
        params={{ day: undefined }}
        search={search}
        variant="subtle"
        size="xs"
        leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />}
      >
        {t('Back to the days')}
      </LinkButton>
    </div>
  )
}
