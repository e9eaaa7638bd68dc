import { limits } from '@atrium/contract/limits.ts'
import { documentsStatuses, memberAccountKinds, memberOrders, memberStatuses } from '@atrium/contract/member-states.ts'
import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { TableButton } from '../../ui/filter-bar.tsx'
import parts from './member-bar.module.css'
import { filterInput, type MemberSearch, searchCharsMax, withFilter } from './member-search.ts'
import { accountWords, documentsWords, orderWords, statusWords } from './member-words.ts'

type MemberBarProps = {
  search: MemberSearch
  field: RefObject<HTMLInputElement | null>
  onSearch: (search: MemberSearch) => void
}

export function MemberBar({ search, field, onSearch }: MemberBarProps) {
  const { t } = useTranslation()
  const [q, setQ] = useState(search.q ?? '')
  const applyLater = useDebouncedCallback(
    (text: string) => onSearch(withFilter(search, { q: text })),
    limits.filterDebounceMs,
  )
  // The address can change by itself: by the browser's back, or a link.
  useEffect(() => setQ(search.q ?? ''), [search.q])
  const choices = (words: readonly string[], labelOf: (word: string) => string) =>
    words.map((value) => ({ value, label: t(labelOf(value)) }))
  const filter = (name: 'status' | 'documents' | 'accounts' | 'order') => (value: string | null) =>
    onSearch(withFilter(search, { [name]: value ?? undefined }))
  return (
    <search className={parts.bar} aria-label={t('Filters')}>
      <TextInput
        ref={field}
        className={parts.search ?? ''}
        size="xs"
        type="search"
        aria-label={t('Search members')}
        placeholder={t('Name, email, customer number or login')}
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
        maxLength={searchCharsMax}
        autoComplete="off"
        spellCheck={false}
        value={q}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        onChange={(event) => {
          setQ(event.currentTarget.value)
          applyLater(event.currentTarget.value)
        }}
      />
      <Select
        size="xs"
        aria-label={t('Status')}
        placeholder={t('Any status')}
        clearable
        data={choices(memberStatuses, (word) => statusWords[word as 'active'].label)}
        value={search.status ?? null}
        onChange={filter('status')}
      />
      <Select
        size="xs"
        aria-label={t('Documents')}
        placeholder={t('Any documents')}
        clearable
        data={choices(documentsStatuses, (word) => documentsWords[word as 'pending'].label)}
        value={search.documents ?? null}
        onChange={filter('documents')}
      />
      <Select
        size="xs"
        aria-label={t('Accounts')}
        placeholder={t('Any accounts')}
        clearable
        data={choices(memberAccountKinds, (word) => accountWords[word as 'live'])}
        value={search.accounts ?? null}
        onChange={filter('accounts')}
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
          placeholder={name === 'from' ? t('From') : t('Until')}
          value={search[name] ?? ''}
          onChange={(day) => onSearch(withFilter(search, { [name]: day || undefined }))}
        />
      ))}
    </div>
  )
}
