import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { type Column, DataTable, OpenLink } from '../../ui/lists/data-table.tsx'
import { MovingAmount } from '../../ui/money/moving-amount.tsx'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { takesDeposits } from './account-labels.ts'
import { AccountLocation } from './account-location.tsx'
import parts from './account-parts.module.css'
import { AccessTag, BalanceTime, KindTag, PlatformMark } from './account-parts.tsx'
import type { Account } from './use-accounts.ts'

type AccountsTableProps = {
  accounts: Account[] | undefined
  isSyncing: boolean
  isDepositOpen: boolean
  empty: ReactNode
}

export function AccountsTable({ accounts, isSyncing, isDepositOpen, empty }: AccountsTableProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <DataTable
      label={t('Trading accounts')}
      columns={useAccountColumns({ isSyncing, isDepositOpen })}
      rows={accounts}
      rowKey={({ _id }) => _id}
      isLive
      onOpen={({ _id }) => navigate({ to: '/accounts/$accountId', params: { accountId: _id } as never })}
      empty={empty}
    />
  )
}

type Shown = Pick<AccountsTableProps, 'isSyncing' | 'isDepositOpen'>

function useAccountColumns({ isSyncing, isDepositOpen }: Shown): Column<Account>[] {
  const { t } = useTranslation()
  // The table has a currency column; the card shows the currency after each amount.
  const isBare = !useIsCompact()
  return [
    {
      key: 'account',
      header: t('Account'),
      onPhone: 'top',
      skeletonWidth: 120,
      render: (account) => (
        <span className={parts.who}>
          <PlatformMark type={account.platform_type} isSmall />
          <OpenLink
            to="/accounts/$accountId"
            params={{ accountId: account._id } as never}
            aria-label={t('Open account {{login}}', { login: account.platform_login })}
          >
            {account.platform_login}
          </OpenLink>
        </span>
      ),
    },
    {
      key: 'kind',
      header: t('Type'),
      onPhone: 'top',
      skeletonWidth: 44,
      render: (account) => (
        <>
          <KindTag account={account} /> <AccessTag account={account} />
        </>
      ),
    },
    {
      key: 'platform',
      header: t('Platform'),
      skeletonWidth: 40,
      render: (account) => platformName(account.platform_type),
    },
    {
      key: 'currency',
      header: t('Currency'),
      onPhone: 'hidden',
      skeletonWidth: 36,
      render: (account) => account.currency,
    },
    {
      key: 'balance',
      header: t('Balance'),
      align: 'right',
      skeletonWidth: 96,
      render: (account) => (
        <>
          <MovingAmount isBare={isBare} amount={account.balance} currency={account.currency} />
          {!isSyncing && !account.balance_is_live && (
            <div>
              <BalanceTime account={account} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'equity',
      header: t('Equity'),
      align: 'right',
      skeletonWidth: 96,
      render: (account) => <MovingAmount isBare={isBare} amount={account.equity} currency={account.currency} />,
    },
    {
      key: 'floating',
      header: t('Floating P&L'),
      align: 'right',
      skeletonWidth: 72,
      render: (account) => (
        <MovingAmount isBare={isBare} amount={account.trade_info?.floating_pnl} currency={account.currency} isResult />
      ),
    },
    {
      key: 'leverage',
      header: t('Leverage'),
      align: 'right',
      skeletonWidth: 40,
      render: (account) => `1:${account.leverage}`,
    },
    { key: 'place', header: t('City'), skeletonWidth: 80, render: (account) => <AccountLocation account={account} /> },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'right',
      skeletonWidth: 60,
      render: (account) =>
        isDepositOpen && takesDeposits(account) ? (
          <LinkButton
            to="/funds/deposit/$accountId"
            params={{ accountId: account._id } as never}
            size="xs"
            variant="default"
            aria-label={t('Deposit to account {{login}}', { login: account.platform_login })}
          >
            {t('Deposit')}
          </LinkButton>
        ) : null,
    },
  ]
}
