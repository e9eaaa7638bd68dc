import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { MemberLink } from '../../ui/layout/member-link.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { type Column, OpenLink } from '../../ui/lists/data-table.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { day } from '../../ui/text/format.ts'
import type { TFunction } from '../../ui/text/i18n.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-accounts.module.css'
import { type AccountsAnswer, accounts } from './use-accounts.ts'

type Row = AccountsAnswer['accounts'][number]

const accessLabels = knownOr(otherLabel, { full: 'Full access', read_only: 'Read-only', disabled: 'Disabled' })
const stateLabels = { open: 'In use', archived: 'Archived', closed: 'Closed' }

const controls: ListControls<typeof accounts.list, AccountsAnswer> = {
  q: { label: 'Search accounts', placeholder: 'Account number, name, email or customer number' },
  platform: { label: 'Platform', all: 'Any platform', from: ({ platforms }) => platforms },
  kind: { label: 'Type', all: 'Live and demo', labels: { live: 'Live', demo: 'Demo' } },
  access: { label: 'Access', all: 'Any access', labels: accessLabels },
  state: { label: 'Status', all: 'Any status', labels: stateLabels },
  order: { label: 'Sort by', labels: { newest: 'Newest first', oldest: 'Oldest first', login: 'By account number' } },
}

/** All accounts of the brokerage, across members and platforms. */
export function AccountList() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <DataList
      source={accounts}
      to="/trading-accounts"
      label={t('Accounts')}
      help={t('All trading accounts of your members, with the balances last read from the platforms.')}
      controls={controls}
      counted={{ all: 'Accounts: {{shown}}', more: '{{shown}}+ accounts' }}
      empty={
        <EmptyState
          drawing="accounts"
          title={t('No accounts yet')}
          text={t('Accounts appear here once members open them or a platform’s accounts are imported.')}
        />
      }
      columns={columnsOf(t)}
      onOpen={({ _id }) => navigate({ to: '/trading-accounts/$accountId', params: { accountId: _id } })}
    />
  )
}

function columnsOf(t: TFunction): Column<Row>[] {
  const money = (amount: string | null, currency: string) => <Amount amount={amount} currency={currency} />
  return [
    {
      key: 'login',
      header: t('Account'),
      onPhone: 'top',
      skeletonWidth: 60,
      render: ({ _id, platform_login: login }) => (
        <OpenLink
          to="/trading-accounts/$accountId"
          params={{ accountId: _id } as never}
          aria-label={t('Open account {{login}}', { login })}
        >
          {login}
        </OpenLink>
      ),
    },
    {
      key: 'kind',
      header: t('Type'),
      onPhone: 'top',
      skeletonWidth: 60,
      render: ({ live_account, access, state }) => (
        <>
          <Tag label={live_account ? t('Live') : t('Demo')} isStrong={live_account} />{' '}
          {access !== 'full' && <Tag label={t(accessLabels[access])} />}{' '}
          {state !== 'open' && <Tag label={t(stateLabels[state])} />}
        </>
      ),
    },
    {
      key: 'member',
      header: t('Member'),
      skeletonWidth: 140,
      render: ({ member }) => (
        <span className={parts.owner} title={member.name}>
          <MemberLink member={member} />
        </span>
      ),
    },
    {
      key: 'platform',
      header: t('Platform, group and leverage'),
      skeletonWidth: 120,
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
      skeletonWidth: 90,
      render: ({ balance, currency }) => money(balance, currency),
    },
    {
      key: 'equity',
      header: t('Equity'),
      align: 'right',
      skeletonWidth: 90,
      render: ({ equity, currency }) => money(equity, currency),
    },
    {
      key: 'opened',
      header: t('Opened'),
      align: 'right',
      skeletonWidth: 70,
      render: ({ created_at }) => day(created_at),
    },
  ]
}
