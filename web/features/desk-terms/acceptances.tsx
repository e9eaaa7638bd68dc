import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { notice } from '../../ui/feedback/notice.ts'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { downloadText } from '../../ui/files/download-text.ts'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { FilterChoice, SearchField } from '../../ui/lists/filter-bar.tsx'
import { PagerBar } from '../../ui/lists/pager-bar.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import parts from './desk-terms.module.css'
import type { AcceptanceFilters } from './terms-search.ts'
import { type Acceptance, acceptancesPageSize, acceptancesQuery, fetchAcceptancesTable } from './use-terms.ts'

type AcceptancesProps = { terms: DeskTerms; filters: AcceptanceFilters }

/** Who accepted: which text, when, and from where. */
export function Acceptances({ terms, filters }: AcceptancesProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const columns = useColumns()
  const page = useQuery(acceptancesQuery(terms._id, filters))
  const go = (search: AcceptanceFilters) =>
    navigate({
      to: '/terms/$termsId/{-$part}',
      params: { termsId: terms._id, part: 'accepted' },
      search,
      replace: true,
    })
  if (page.error && !page.data) return <ErrorState error={page.error} onRetry={() => page.refetch()} />
  const isFiltered = filters.q !== undefined || filters.version !== undefined
  return (
    <div className={parts.accepted}>
      <AcceptancesBar terms={terms} filters={filters} onFilter={go} />
      <DataTable
        label={t('Who accepted')}
        columns={columns}
        rows={page.data?.acceptances}
        rowKey={({ _id }) => _id}
        empty={
          isFiltered ? (
            <EmptyState
              drawing="search"
              title={t(texts.noResults)}
              action={
                <Button size="xs" variant="default" onClick={() => go({})}>
                  {t('Clear the filters')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              drawing="list"
              title={t('Nobody has accepted these terms yet')}
              text={t('Acceptances are listed here with version, time and address.')}
            />
          )
        }
        footer={
          <PagerBar
            page={filters.page ?? 1}
            size={acceptancesPageSize}
            total={page.data?.total ?? 0}
            onPage={(next) => go({ ...without(filters), ...(next > 1 && { page: next }) })}
          />
        }
      />
    </div>
  )
}

/** Other filters begin at the first page. */
const without = ({ page: _, ...filters }: AcceptanceFilters): AcceptanceFilters => filters

function useColumns(): Column<Acceptance>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'member',
      header: t('Member'),
      onPhone: 'top',
      bone: 160,
      render: ({ member }) => (
        <span className={parts.person}>
          <TextLink to="/members/{-$memberId}" params={{ memberId: member._id }} inherit>
            <bdi>{member.name}</bdi>
          </TextLink>
          <span className={parts.quiet}>{t('No. {{number}}', { number: member.customer_number })}</span>
        </span>
      ),
    },
    { key: 'version', header: t('Version'), align: 'right', bone: 20, render: ({ version }) => version },
    { key: 'at', header: t('When'), bone: 120, render: ({ accepted_at }) => <Moment at={accepted_at} /> },
    { key: 'address', header: t('Address'), bone: 90, render: ({ address }) => address ?? t('not known') },
    { key: 'device', header: t('Device'), bone: 120, render: ({ device }) => device },
  ]
}

type AcceptancesBarProps = AcceptancesProps & { onFilter: (change: AcceptanceFilters) => void }

function AcceptancesBar({ terms, filters, onFilter }: AcceptancesBarProps) {
  const { t } = useTranslation()
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      const { name, csv, left_off } = await fetchAcceptancesTable(terms._id, filters)
      downloadText(csv, name, 'text/csv')
      if (left_off > 0)
        notice.warning(t('The table holds the latest; {{count}} older ones were left off.', { count: left_off }))
    } catch (error) {
      notice.refused(t(error instanceof Error ? error.message : texts.requestFailed))
    }
    setSaving(false)
  }
  return (
    <search className={parts.bar} aria-label={t('Filters')}>
      <SearchField
        className={parts.search}
        label={t('Search members')}
        placeholder={t('Name, email or customer number')}
        value={filters.q ?? ''}
        onSearch={(text) => onFilter(filtersOf(text, filters.version))}
      />
      <FilterChoice
        label={t('Version')}
        all={t('Any version')}
        data={terms.versions.map(({ version }) => ({
          value: String(version),
          label: t('Version {{version}}', { version }),
        }))}
        value={filters.version?.toString()}
        onChoose={(version) => onFilter(filtersOf(filters.q ?? '', version ? Number(version) : undefined))}
      />
      <Button
        size="xs"
        variant="default"
        loading={isSaving}
        leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        onClick={save}
      >
        {t('Export CSV')}
      </Button>
    </search>
  )
}

const filtersOf = (q: string, version: number | undefined): AcceptanceFilters => ({
  ...(q.trim() && { q: q.trim() }),
  ...(version && { version }),
})
