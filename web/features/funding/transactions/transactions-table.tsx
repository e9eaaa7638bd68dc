import { IconPaperclip } from '@tabler/icons-react'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useIsCompact } from '../../../ui/layout/use-is-phone.ts'
import { type Column, DataTable, OpenButton } from '../../../ui/lists/data-table.tsx'
import { labelsOfTransaction } from '../../../ui/money/own-payments.ts'
import { typeLabel } from '../../../ui/money/transaction-type.ts'
import { day } from '../../../ui/text/format.ts'
import { Moment } from '../../../ui/text/moment.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import type { Transaction } from '../use-funding.ts'
import { TransactionAmount } from './transaction-amount.tsx'
import { TransactionMethod } from './transaction-method.tsx'
import parts from './transaction-parts.module.css'

/** Shown while the account of a list of transactions loads. */
export function TransactionsSkeleton() {
  const { t } = useTranslation()
  const columns = useTransactionColumns(() => undefined)
  return (
    <DataTable label={t('Transactions')} {...{ columns }} rows={undefined} rowKey={({ _id }) => _id} empty={null} />
  )
}

/** `isNarrow`: beside an open detail, only the columns that distinguish rows fit. */
export function useTransactionColumns(onOpen: (transaction: Transaction) => void, isNarrow = false) {
  const { t } = useTranslation()
  const isCompact = useIsCompact()
  const columns: Column<Transaction>[] = [
    {
      key: 'ticket',
      header: t('Ticket'),
      onPhone: 'top',
      skeletonWidth: 64,
      render: (row) => (
        <OpenButton
          name={
            isCompact
              ? t('Open {{type}} {{ticket}}', { type: t(typeLabel(row.type)), ticket: row.ticket })
              : t('Open transaction {{ticket}}', { ticket: row.ticket })
          }
          onClick={() => onOpen(row)}
        >
          {isCompact ? `${t(typeLabel(row.type))} ${row.ticket}` : row.ticket}
        </OpenButton>
      ),
    },
    { key: 'account', header: t('Account'), skeletonWidth: 72, render: (row) => row.trading_account.platform_login },
    {
      key: 'type',
      header: t('Transaction'),
      onPhone: 'hidden',
      skeletonWidth: 72,
      render: (row) => t(typeLabel(row.type)),
    },
    {
      key: 'method',
      header: t('Payment Method'),
      onPhone: 'hidden',
      skeletonWidth: 110,
      render: (row) => <TransactionMethod transaction={row} />,
    },
    {
      key: 'status',
      header: t('Status'),
      skeletonWidth: 88,
      render: (row) => {
        const pill = labelsOfTransaction(row)
        return <StatusPill meaning={pill.meaning} label={t(pill.label)} isMoving={pill.isMoving} />
      },
    },
    {
      key: 'date',
      header: t('Date'),
      skeletonWidth: 120,
      render: ({ created_at }) => (isNarrow ? day(created_at) : <Moment at={created_at} isStacked={!isCompact} />),
    },
    {
      key: 'total',
      header: t('Total'),
      align: 'right',
      onPhone: 'top',
      skeletonWidth: 90,
      render: (row) => (
        <strong className={parts.total}>
          <TransactionAmount transaction={row} />
        </strong>
      ),
    },
    {
      key: 'attachments',
      header: t('Attachments'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 20,
      render: ({ attachments }) =>
        attachments.length === 0 ? null : (
          <span className={parts.attached}>
            <IconPaperclip size={16} stroke={1.5} aria-hidden />
            {attachments.length}
          </span>
        ),
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 48,
      render: (row) => (
        <button
          type="button"
          className={parts.action}
          onClick={() => onOpen(row)}
          aria-label={t('Details of {{ticket}}', { ticket: row.ticket })}
        >
          {t('Details')}
        </button>
      ),
    },
  ]
  return isNarrow
    ? columns.filter(({ key }) => !['account', 'method', 'attachments', 'actions'].includes(key))
    : columns
}
