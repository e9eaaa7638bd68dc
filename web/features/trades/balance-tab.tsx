import { useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { Amount } from '../../ui/money/amount.tsx'
import { labelsOfTransaction } from '../../ui/money/own-payments.ts'
import { movedAmount } from '../../ui/money/own-transactions.ts'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { dayAndTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { TradedAccount } from './trades-list.ts'
import { TransactionCard } from './transaction-card.tsx'
import { transactionsOf } from './use-trades.ts'
import { Viewer } from './viewer.tsx'
import { ViewerItem } from './viewer-item.tsx'

/** The transaction viewer for the deposits and withdrawals of one account. */
export function BalanceTab({ account, isListed }: { account: TradedAccount; isListed: boolean }) {
  const { t } = useTranslation()
  const { open, range } = useSearch({ strict: false }) as { open?: string; range?: string }
  const at = useList(transactionsOf(account._id, isListed), {
    to: '/accounts/$accountId',
    params: { accountId: account._id },
    others: { tab: 'balance', range },
    ...inPlace,
  })
  const { data, error, refetch } = at.page
  if (error && !data)
    return (
      <Card>
        <ErrorState error={error} onRetry={() => refetch()} />
      </Card>
    )
  return (
    <Viewer
      label={t('Transactions')}
      rows={at.rows}
      open={open}
      onOpen={(id) => at.show({ open: id })}
      item={(row) => {
        const status = labelsOfTransaction(row)
        return (
          <ViewerItem
            name={t('{{type}} {{ticket}}', { type: t(typeLabel(row.type)), ticket: row.ticket })}
            moment={dayAndTime(row.created_at)}
            amount={<Amount {...movedAmount(row)} currency={row.currency} isBare />}
            about={<StatusPill meaning={status.meaning} label={t(status.label)} isMoving={status.isMoving} />}
          />
        )
      }}
      title={({ ticket }) => t('Transaction {{ticket}}', { ticket })}
      detail={(row) => <TransactionCard account={account} transaction={row} isListed={isListed} />}
      pager={<ListPages at={at} isCountShown />}
    />
  )
}
