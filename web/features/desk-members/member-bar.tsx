import { documentsStatuses, memberAccountKinds, memberOrders, memberStatuses } from '@atrium/contract/member-states.ts'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { FilterChoice, SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { identityWords } from '../../ui/identity-words.ts'
import { Select } from '../../ui/select.tsx'
import parts from './member-bar.module.css'
import { filterInput, type MemberSearch, withFilter } from './member-search.ts'
import { accountWords, orderWords, statusWords } from './member-words.ts'

type MemberBarProps = {
  search: MemberSearch
  field: RefObject<HTMLInputElement | null>
  onSearch: (search: MemberSearch) => void
}

export function MemberBar({ search, field, onSearch }: MemberBarProps) {
  const { t } = useTranslation()
  const choices = (words: readonly string[], labelOf: (word: string) => string) =>
    words.map((value) => ({ value, label: t(labelOf(value)) }))
  const filter = (name: 'status' | 'documents' | 'accounts' | 'order') => (value: string | null) =>
    onSearch(withFilter(search, { [name]: value ?? undefined }))
  return (
    <search className={parts.bar} aria-label={t('Filters')}>
      <SearchField
        field={field}
        className={parts.search}
        label={t('Search members')}
        placeholder={t('Name, email, customer number or login')}
        value={search.q ?? ''}
        onSearch={(text) => onSearch(withFilter(search, { q: text }))}
      />
      <FilterChoice
        label={t('Status')}
        all={t('Any status')}
        data={choices(memberStatuses, (word) => statusWords[word as 'active'].label)}
        value={search.status}
        onChoose={filter('status')}
      />
      <FilterChoice
        label={t('Documents')}
        all={t('Any documents')}
        data={choices(documentsStatuses, (word) => identityWords[word as 'pending'].label)}
        value={search.documents}
        onChoose={filter('documents')}
      />
      <FilterChoice
        label={t('Accounts')}
        all={t('Any accounts')}
        data={choices(memberAccountKinds, (word) => accountWords[word as 'live'])}
        value={search.accounts}
        onChoose={filter('accounts')}
      />
      <JoinedBetween search={search} onSearch={onSearch} />
      <Select
        size="xs"
        aria-label={t('Sort by')}
        allowDeselect={false}
        data={choices(memberOrders, (word) => orderWords[word as 'newest'])}
        value={search.order ?? 'newest'}
        onChange={filter('order')}
      />
      <TableButton save={() => saveTable('/desk/api/members/table', filterInput(search), 'members.csv')} />
    </search>
  )
}

function JoinedBetween({ search, onSearch }: Pick<MemberBarProps, 'search' | 'onSearch'>) {
  const { t } = useTranslation()
  return (
    <div className={parts.days}>
      {(['from', 'to'] as const).map((name) => (
        <DateInput
          key={name}
          size="xs"
          aria-label={name === 'from' ? t('Joined from') : t('Joined until')}
          placeholder={name === 'from' ? t('From, UTC') : t('Until, UTC')}
          value={search[name] ?? ''}
          onChange={(day) => onSearch(withFilter(search, { [name]: day || undefined }))}
        />
      ))}
    </div>
  )
}
