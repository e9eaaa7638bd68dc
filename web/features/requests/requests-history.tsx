import { limits } from '@atrium/contract/limits.ts'
import { requestStates } from '@atrium/contract/requests/states.ts'
import { texts } from '@atrium/contract/texts.ts'

import { useNavigate } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { type Column, DataTable, OpenLink } from '../../ui/lists/data-table.tsx'
import { FoldingFilters } from '../../ui/lists/folding-filters.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import { wordsCharsMax } from '../../ui/lists/shaped-search.ts'
import { useRestingText } from '../../ui/lists/use-resting-text.ts'
import type { TFunction } from '../../ui/text/i18n.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { labelsOfRequest } from './request-labels.ts'
import parts from './requests.module.css'
import { countFilters, type RequestsSearch, writeRequestsSearch } from './requests-search.ts'
import type { RequestRow } from './use-rejected.ts'
import { useRequests } from './use-requests.ts'

/** The member's requests, newest first, filtered by text, status and day. */
export function RequestsHistory({ search, customer }: { search: RequestsSearch; customer: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data, error, refetch } = useRequests(search, customer)
  const go = (next: Partial<RequestsSearch>, replace = false) =>
    navigate({
      to: '/requests',
      search: writeRequestsSearch({ ...search, ...next }) as never,
      replace,
      resetScroll: false,
    })
  const isNarrowed = countFilters(search) > 0
  return (
    <div className={parts.filters}>
      <HistoryFilters search={search} onChange={(change) => go({ ...change, page: 1 }, true)} />
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <DataTable
          label={t('Requests')}
          columns={columnsOf(search, t)}
          rows={data?.rows}
          rowKey={({ _id }) => _id}
          empty={
            <EmptyState
              drawing={isNarrowed ? 'search' : 'list'}
              title={t(isNarrowed ? texts.noResults : 'You have not asked for anything yet.')}
            />
          }
          footer={
            <PagerBar
              page={search.page}
              size={limits.requestsPageSize}
              total={data?.total ?? 0}
              onPage={(page) => go({ page })}
            />
          }
        />
      )}
    </div>
  )
}

function columnsOf(search: RequestsSearch, t: TFunction): Column<RequestRow>[] {
  return [
    {
      key: 'number',
      header: t('Number'),
      onPhone: 'top',
      width: '14%',
      bone: 60,
      render: ({ _id, number }) => (
        <OpenLink
          to="/requests"
          search={writeRequestsSearch({ ...search, id: _id }) as never}
          aria-label={t('Open request {{number}}', { number })}
        >
          {number}
        </OpenLink>
      ),
    },
    {
      key: 'subject',
      header: t('Subject'),
      onPhone: 'plain',
      width: '46%',
      bone: 220,
      render: ({ subject }) => <span className={parts.subject}>{subject}</span>,
    },
    {
      key: 'status',
      header: t('Status'),
      onPhone: 'top',
      bone: 72,
      render: ({ status }) => {
        const words = labelsOfRequest(status)
        return <StatusPill meaning={words.meaning} label={t(words.label)} />
      },
    },
    {
      key: 'created',
      header: t('Date'),
      align: 'right',
      bone: 90,
      render: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}

type FiltersProps = { search: RequestsSearch; onChange: (change: Partial<RequestsSearch>) => void }

function HistoryFilters({ search, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const words = useRestingText(search.q, (q) => onChange({ q }), wordsCharsMax)
  return (
    <FoldingFilters active={countFilters(search)} columns={4}>
      <TextInput
        size="sm"
        type="search"
        label={t('Search')}
        placeholder={t('Search by number or subject')}
        charsMax={wordsCharsMax}
        autoComplete="off"
        {...words}
      />
      <Select
        size="sm"
        label={t('Status')}
        placeholder={t('Any')}
        clearable
        data={requestStates.map((status) => ({ value: status, label: t(labelsOfRequest(status).label) }))}
        value={search.status || null}
        onChange={(status) => onChange({ status: status ?? '' })}
      />
      <DateInput size="sm" label={t('Date')} value={search.day} onChange={(day) => onChange({ day })} />
    </FoldingFilters>
  )
}
