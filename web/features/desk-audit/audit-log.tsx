import { texts } from '@atrium/contract/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { DateInput, type WholeSpan } from '../../ui/date-input.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { TableButton } from '../../ui/filter-bar.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Turning } from '../../ui/turning.tsx'
import { WorkPage } from '../../ui/work-page.tsx'
import parts from './audit.module.css'
import { AuditEntries } from './audit-entries.tsx'
import { type AuditSearch, readAuditSearch, withFilter } from './audit-search.ts'
import { aboutChoices, aboutOf, actionWords } from './audit-words.ts'
import { auditQuery, choicesQuery } from './use-audit.ts'

/** Everything that was done in the brokerage: nobody can change it, and a change past the program is found. */
export function AuditLog() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = readAuditSearch(useSearch({ strict: false }))
  const page = useQuery(auditQuery(search))
  const go = (next: AuditSearch) => navigate({ to: '/audit', search: next })
  const { after: _, before: __, ...filters } = search
  return (
    <WorkPage>
      <AuditBar search={search} onSearch={go} />
      {!page.data && !page.isError && <Skeleton height={320} radius="lg" role="status" aria-label={t('Loading')} />}
      {!page.data && page.isError && (
        <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
      )}
      {page.data?.entries.length === 0 && (
        <EmptyState
          drawing="search"
          title={t(texts.noResults)}
          action={
            <Button size="xs" variant="default" onClick={() => go({})}>
              {t('Clear the filters')}
            </Button>
          }
        />
      )}
      {page.data && page.data.entries.length > 0 && (
        <AuditEntries
          entries={page.data.entries}
          names={page.data.names}
          isBusy={page.isPlaceholderData}
          isMemberShown
        />
      )}
      {page.data && (page.data.next || page.data.previous) && (
        <Turning marks={page.data} words="times" onTurn={(turn) => go({ ...filters, ...turn })} />
      )}
    </WorkPage>
  )
}

function AuditBar({ search, onSearch }: { search: AuditSearch; onSearch: (search: AuditSearch) => void }) {
  const { t } = useTranslation()
  const choices = useQuery(choicesQuery)
  const { after: _, before: __, ...filters } = search
  const filter = (name: keyof AuditSearch) => (value: string | null) => onSearch(withFilter(search, { [name]: value }))
  const pick = (name: 'actor' | 'action') => ({
    size: 'xs' as const,
    clearable: true,
    value: search[name] ?? null,
    onChange: filter(name),
  })
  const span: WholeSpan = { ...search, onSpan: (picked) => onSearch(withFilter(search, picked)) }
  const days = { size: 'xs', span } as const
  const actors = [
    { value: 'staff', label: t('Any colleague') },
    { value: 'member', label: t('Any member') },
    { value: 'system', label: t('Atrium itself') },
    ...(choices.data?.staff ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const known = choices.data?.actions ?? []
  const about = aboutOf(search.action)
  const actions = known
    .filter((value) => about === null || value.startsWith(about))
    .map((value) => ({ value, label: t(actionWords(value)) }))
  return (
    <search className={parts.bar} aria-label={t('Filters')}>
      <Select label={t('Who')} placeholder={t('Anybody')} searchable data={actors} {...pick('actor')} />
      <Select
        label={t('About')}
        placeholder={t('Anything')}
        searchable
        data={aboutChoices(known).map((choice) => ({ ...choice, label: t(choice.label) }))}
        {...pick('action')}
        value={about}
      />
      <Select
        label={t('What')}
        placeholder={t('Anything')}
        searchable
        data={actions}
        {...pick('action')}
        value={search.action?.endsWith('.') ? null : (search.action ?? null)}
        onChange={(value) => filter('action')(value ?? about)}
      />
      {search.member && (
        <Button size="xs" variant="default" onClick={() => filter('member')(null)}>
          {t('Of all members')}
        </Button>
      )}
      <DateInput {...days} label={t('From')} value={search.from ?? ''} onChange={filter('from')} />
      <DateInput {...days} label={t('Until')} value={search.to ?? ''} onChange={filter('to')} />
      <TableButton save={() => saveTable('/desk/api/audit/table', filters, 'audit-log.csv')} />
    </search>
  )
}
