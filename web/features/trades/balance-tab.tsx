import { limits } from '@atrium/contract/limits.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { dayAndTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { TradedAccount } from './trades-search.ts'
import { TransactionCard } from './transaction-card.tsx'
import { transactionAmount, transactionName, transactionStatus } from './transaction-labels.ts'
import { useTransactions } from './use-trades.ts'
import { Viewer } from './viewer.tsx'
import { ViewerItem } from './viewer-item.tsx'

/** The transaction viewer for the deposits and withdrawals of one account. */
export function BalanceTab({ account, isListed }: { account: TradedAccount; isListed: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { open } = useSearch({ strict: false }) as { open?: unknown }
  const [page, setPage] = useState(1)
  const list = useTransactions(account._id, page, isListed)
  const show = (id: string | undefined) =>
    navigate({
      to: '/accounts/$accountId',
      params: { accountId: account._id },
      search: { tab: 'balance', ...(id !== undefined && { open: id }) } as never,
      replace: true,
      resetScroll: false,
    })
  if (list.error && !list.data)
    return (
      <Card>
        <ErrorState error={list.error} onRetry={() => list.refetch()} />
      </Card>
    )
  const turn = (next: number) => {
    setPage(next)
    show(undefined)
  }
  return (
    <Viewer
      label={t('Transactions')}
      rows={list.data?.rows}
      rowKey={({ _id }) => _id}
      open={typeof open === 'string' ? open : undefined}
      onOpen={show}
      item={(row) => {
        const status = transactionStatus(row.state)
        return (
          <ViewerItem
            name={t('{{type}} {{ticket}}', { type: t(transactionName(row.type)), ticket: row.ticket })}
            moment={dayAndTime(row.created_at)}
            amount={<Amount amount={transactionAmount(row)} currency={row.currency} sign="always" isBare />}
            about={<StatusPill meaning={status.meaning} label={t(status.label)} isMoving={status.isMoving} />}
          />
        )
      }}
      title={({ ticket }) => t('Transaction {{ticket}}', { ticket })}
      detail={(row) => <TransactionCard account={account} transaction={row} />}
      pager={<PagerBar page={page} size={limits.transactionsPageSize} total={list.data?.total ?? 0} onPage={turn} />}
    />
  )
}
