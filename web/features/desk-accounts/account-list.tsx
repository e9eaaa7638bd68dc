import { accountAccesses } from '@atrium/contract/account-access.ts'
import type { CallAnswer } from '@atrium/contract/call.ts'
import { deskAccountOrders, deskAccountStates } from '@atrium/contract/desk-account-states.ts'
import { listDeskAccounts } from '@atrium/contract/desk-accounts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { accountKinds } from '@atrium/contract/opening-states.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { call } from '../../api/transport.ts'
import { Amount } from '../../ui/amount.tsx'
import { type Column, DataTable, OpenLink } from '../../ui/data-table.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterBar, FilterChoice, SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { day, readerLanguage } from '../../ui/format.ts'
import { MemberLink } from '../../ui/member-link.tsx'
import { NoMatches } from '../../ui/no-matches.tsx'
import { Card } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import { Turning } from '../../ui/turning.tsx'
import { useIsLeaving } from '../../ui/use-is-leaving.ts'
import { WorkPage } from '../../ui/work-page.tsx'
import { type AccountSearch, filtersOf, isFiltered, readAccountSearch, withFilter } from './account-search.ts'
import parts from './desk-accounts.module.css'

type Accounts = CallAnswer<typeof listDeskAccounts>
type Row = Accounts['accounts'][number]

const accessWords = { full: 'Full access', read_only: 'Read-only', disabled: 'Disabled' }
const stateWords = { open: 'In use', archived: 'Archived', closed: 'Closed' }
const orderWords = { newest: 'Newest first', oldest: 'Oldest first', login: 'By account number' }

/** Every account of the brokerage, whoever owns it and on whichever platform it is. */
export function AccountList() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = readAccountSearch(useSearch({ strict: false }))
  const page = useQuery({
    queryKey: ['desk-accounts', 'all', search],
    queryFn: () => call(listDeskAccounts, search),
    placeholderData: keepPreviousData,
  })
  const { data } = page
  const isLeaving = useIsLeaving('/trading-accounts')
  const go = (next: AccountSearch) => {
    // Words that come to rest while the next page loads must not call anybody back.
    if (!isLeaving()) void navigate({ to: '/trading-accounts', search: next })
  }
  const shown = new Intl.NumberFormat(readerLanguage()).format(data?.total ?? 0)
  return (
    <WorkPage help={t('All trading accounts of your members, with the figures last read from the platforms.')}>
      <AccountsBar search={search} platforms={data?.platforms ?? []} onSearch={go} />
      {page.isError && !data ? (
        <Card>
          <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
        </Card>
      ) : (
        <DataTable
          label={t('Accounts')}
          columns={columnsOf(t)}
          rows={data?.accounts}
          rowKey={({ _id }) => _id}
          onOpen={({ _id }) => navigate({ to: '/accounts/$accountId', params: { accountId: _id } })}
          empty={
            isFiltered(search) ? (
              <NoMatches onClear={() => go({})} />
            ) : (
              <EmptyState
                drawing="accounts"
                title={t('No accounts yet')}
                text={t('Accounts appear here once members open them or a platform’s accounts are imported.')}
              />
            )
          }
        />
      )}
      {data && data.accounts.length > 0 && (
        <Turning marks={data} onTurn={(turn) => go({ ...filtersOf(search), ...turn })}>
          {data.total >= limits.countedMax
            ? t('{{shown}} accounts and more', { shown })
            : t('Accounts: {{shown}}', { shown })}
        </Turning>
      )}
    </WorkPage>
  )
}

function columnsOf(t: TFunction): Column<Row>[] {
  const figure = (amount: string | null, currency: string) => <Amount amount={amount} currency={currency} />
  return [
    {
      key: 'login',
      header: t('Account'),
      onPhone: 'top',
      bone: 60,
      render: ({ _id, platform_login: login }) => (
        <OpenLink
          to="/accounts/$accountId"
          params={{ accountId: _id } as never}
          aria-label={t('Open account {{login}}', { login })}
        >
          {login}
        </OpenLink>
      ),
    },
    {
      key: 'kind',
      header: t('Kind'),
      onPhone: 'top',
      bone: 60,
      render: ({ live_account, access, state }) => (
        <>
          <Tag label={live_account ? t('Live') : t('Demo')} isStrong={live_account} />{' '}
          {access !== 'full' && <Tag label={t(accessWords[access])} />}{' '}
          {state !== 'open' && <Tag label={t(stateWords[state])} />}
        </>
      ),
    },
    {
      key: 'member',
      header: t('Member'),
      bone: 140,
      render: ({ member }) => (
        <span className={parts.owner} title={member.name}>
          <MemberLink member={member} />
        </span>
      ),
    },
    {
      key: 'platform',
      header: t('Platform, group and leverage'),
      bone: 120,
      render: ({ platform_name, group_name, leverage }) => (
        <>
          {platform_name}
          <span className={parts.group}>{`${group_name} \u00b7 1:${leverage}`}</span>
        </>
      ),
    },
    {
      key: 'balance',
      header: t('Balance'),
      align: 'right',
      bone: 90,
      render: ({ balance, currency }) => figure(balance, currency),
    },
    {
      key: 'equity',
      header: t('Equity'),
      align: 'right',
      bone: 90,
      render: ({ equity, currency }) => figure(equity, currency),
    },
    { key: 'opened', header: t('Opened'), align: 'right', bone: 70, render: ({ created_at }) => day(created_at) },
  ]
}

type AccountsBarProps = {
  search: AccountSearch
  platforms: Accounts['platforms']
  onSearch: (search: AccountSearch) => void
}

function AccountsBar({ search, platforms, onSearch }: AccountsBarProps) {
  const { t } = useTranslation()
  const filter = (name: keyof AccountSearch) => (value: string | null) =>
    onSearch(withFilter(search, { [name]: value }))
  const choices = <Word extends string>(words: readonly Word[], labels: Record<Word, string>) =>
    words.map((value) => ({ value, label: t(labels[value] as string) }))
  return (
    <FilterBar>
      <SearchField
        label={t('Search accounts')}
        placeholder={t('Account number, name, email or customer number')}
        value={search.q ?? ''}
        onSearch={filter('q')}
      />
      <FilterChoice
        label={t('Platform')}
        all={t('Any platform')}
        data={platforms.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={search.platform}
        onChoose={filter('platform')}
      />
      <FilterChoice
        label={t('Kind')}
        all={t('Live and demo')}
        data={choices(accountKinds, { live: 'Live', demo: 'Demo' })}
        value={search.kind}
        onChoose={filter('kind')}
      />
      <FilterChoice
        label={t('Access')}
        all={t('Any access')}
        data={choices(accountAccesses, accessWords)}
        value={search.access}
        onChoose={filter('access')}
      />
      <FilterChoice
        label={t('Status')}
        all={t('Any status')}
        data={choices(deskAccountStates, stateWords)}
        value={search.state}
        onChoose={filter('state')}
      />
      <Select
        size="xs"
        aria-label={t('Sort by')}
        allowDeselect={false}
        data={choices(deskAccountOrders, orderWords)}
        value={search.order ?? 'newest'}
        onChange={filter('order')}
      />
      <TableButton save={(tell) => saveTable('/desk/api/accounts/table', filtersOf(search), 'accounts.csv', tell)} />
    </FilterBar>
  )
}
