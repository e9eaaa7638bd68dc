import { documentsStatuses, memberAccountKinds, memberOrders, memberStatuses } from '@atrium/contract/member-states.ts'
import { memberTypes } from '@atrium/contract/scopes.ts'
import { Button } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { FilterChoice, SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { identityWords } from '../../ui/identity-words.ts'
import { Select } from '../../ui/select.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import parts from './member-bar.module.css'
import type { MemberRights } from './member-rights.ts'
import { filterInput, type MemberSearch, withFilter } from './member-search.ts'
import { accountWords, orderWords, statusWords, typeWords } from './member-words.ts'
import { SalesPersonSelect } from './sales-person-select.tsx'

type MemberBarProps = {
  search: MemberSearch
  field: RefObject<HTMLInputElement | null>
  onSearch: (search: MemberSearch) => void
  rights: Pick<MemberRights, 'mayInvite' | 'mayChange'>
  /** Opens the member who was just invited. */
  onInvited: (id: string) => void
}

export function MemberBar({ search, field, onSearch, rights, onInvited }: MemberBarProps) {
  const { t } = useTranslation()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<string | null>(null)
  // Once the dialog is gone: its guard would ask about what was just sent.
  useEffect(() => {
    if (isInviting || invited === null) return
    setInvited(null)
    onInvited(invited)
  }, [isInviting, invited, onInvited])
  const choices = (words: readonly string[], labelOf: (word: string) => string) =>
    words.map((value) => ({ value, label: t(labelOf(value)) }))
  const filter = (name: 'status' | 'documents' | 'accounts' | 'type' | 'order') => (value: string | null) =>
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
      <FilterChoice
        label={t('Type')}
        all={t('Any type')}
        data={choices(memberTypes, (word) => typeWords[word as 'client'])}
        value={search.type}
        onChoose={filter('type')}
      />
      <SalesPersonSelect
        size="xs"
        aria-label={t('Referred by')}
        placeholder={t('Any referrer')}
        value={search.referrer ?? null}
        onChange={(id) => onSearch(withFilter(search, { referrer: id ?? undefined }))}
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
      {rights.mayInvite && (
        <Button size="xs" onClick={() => setInviting(true)}>
          {t('Invite a member')}
        </Button>
      )}
      {isInviting && (
        <InviteDialog maySell={rights.mayChange} onInvited={setInvited} onClose={() => setInviting(false)} />
      )}
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
          span={{ ...search, onSpan: (picked) => onSearch(withFilter(search, picked)) }}
          onChange={(day) => onSearch(withFilter(search, { [name]: day || undefined }))}
        />
      ))}
    </div>
  )
}
