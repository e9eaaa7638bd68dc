import { SegmentedControl } from '@mantine/core'
import { Select } from '../../ui/fields/select.tsx'
import { SearchField } from '../../ui/lists/filter-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './accounts-bar.module.css'
import { type AccountsSearch, readAccountsSearch } from './accounts-search.ts'
import type { StableAccount } from './use-accounts.ts'

type AccountsBarProps = {
  accounts: StableAccount[]
  search: AccountsSearch
  onChange: (change: Partial<AccountsSearch>) => void
}

/** Filters and order of the accounts list. */
export function AccountsBar({ accounts, search, onChange }: AccountsBarProps) {
  const { t } = useTranslation()
  const platforms = [...new Map(accounts.map(({ trading_platform }) => [trading_platform._id, trading_platform.name]))]
  const isMixed = new Set(accounts.map(({ live_account }) => live_account)).size > 1
  return (
    <search className={parts.bar} data-group="sm" data-align="center">
      <SearchField
        className={parts.words ?? ''}
        size="md"
        label={t('Search accounts')}
        placeholder={t('Number, platform or currency')}
        value={search.q}
        onSearch={(q) => onChange({ q })}
      />
      {isMixed && (
        <SegmentedControl
          aria-label={t('Account type')}
          value={search.kind}
          onChange={(kind) => onChange({ kind: readAccountsSearch({ kind }).kind })}
          data={[
            { value: '', label: t('All') },
            { value: 'live', label: t('Live') },
            { value: 'demo', label: t('Demo') },
          ]}
        />
      )}
      {platforms.length > 1 && (
        <Select
          aria-label={t('Platform')}
          className={parts.choice ?? ''}
          value={search.platform}
          onChange={(platform) => onChange({ platform: platform ?? '' })}
          allowDeselect={false}
          data={[{ value: '', label: t('All platforms') }, ...platforms.map(([value, label]) => ({ value, label }))]}
        />
      )}
      <Select
        aria-label={t('Sort by')}
        className={parts.choice ?? ''}
        value={search.order}
        onChange={(order) => onChange({ order: readAccountsSearch({ order }).order })}
        allowDeselect={false}
        data={[
          { value: 'newest', label: t('Newest first') },
          { value: 'login', label: t('By account number') },
          { value: 'balance', label: t('Highest balance first') },
          { value: 'result', label: t('Best floating P&L first') },
        ]}
      />
    </search>
  )
}
