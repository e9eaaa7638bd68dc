import { texts } from '@atrium/contract/texts.ts'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { type Column, DataTable, OpenButton, type Sorting } from '../../ui/lists/data-table.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { fromSeconds, levelsOf, lots, stateMeaning, tradeName } from './trade-labels.ts'
import { Levels, Side } from './trade-parts.tsx'
import parts from './trades.module.css'
import type { TradedAccount } from './trades-search.ts'
import { useTradesSource } from './trades-source.ts'
import type { Trade, TradeTotals } from './use-trades.ts'

type TradesTableProps = {
  account: TradedAccount
  rows: Trade[] | undefined
  totals: TradeTotals | null | undefined
  sorting: Sorting
  onOpen: (trade: Trade) => void
  empty: ReactNode
  footer: ReactNode
}

export function TradesTable({ account, rows, totals, sorting, onOpen, empty, footer }: TradesTableProps) {
  const { t } = useTranslation()
  const columns = [...useTradeColumns(account, onOpen), ...useMoneyColumns(account, totals)]
  return (
    <DataTable
      label={t('Trade history')}
      columns={columns}
      rows={rows}
      rowKey={({ _id }) => _id}
      onOpen={onOpen}
      sorting={sorting}
      {...(totals && { sumsLabel: t('Total of {{count}}', { count: totals.count }) })}
      empty={empty}
      footer={footer}
    />
  )
}

function useTradeColumns(account: TradedAccount, onOpen: (trade: Trade) => void): Column<Trade>[] {
  const { t } = useTranslation()
  const isCompact = useIsCompact()
  return [
    {
      key: 'symbol',
      header: t('Symbol'),
      sortsBy: 'symbol',
      onPhone: 'top',
      bone: 72,
      render: (row) => (
        <span className={parts.stacked}>
          <OpenButton
            name={t('Open {{name}}, trade {{ticket}}', {
              name: isCompact ? tradeName(row, t) : row.symbol,
              ticket: row.deal ?? row.ticket ?? '',
            })}
            onClick={() => onOpen(row)}
          >
            {isCompact ? tradeName(row, t) : row.symbol}
          </OpenButton>
          {!isCompact && <span className={parts.quiet}>{row.deal}</span>}
        </span>
      ),
    },
    {
      key: 'side',
      header: t('Side'),
      sortsBy: 'side',
      onPhone: 'hidden',
      bone: 40,
      render: ({ cmd, entry }) => <Side cmd={cmd} entry={entry ?? null} />,
    },
    {
      key: 'time',
      header: t('Time'),
      sortsBy: 'time',
      bone: 96,
      render: ({ timestamp }) => <Moment at={fromSeconds(timestamp)} isStacked={!isCompact} />,
    },
    { key: 'open', header: t('Open price'), align: 'right', bone: 64, render: (row) => row.open_price ?? '\u2013' },
    {
      key: 'close',
      header: t('Close price'),
      sortsBy: 'price',
      align: 'right',
      bone: 64,
      render: (row) => row.close_price ?? (isCompact ? null : '\u2013'),
    },
    {
      key: 'levels',
      header: t('S/L and T/P'),
      align: 'right',
      onPhone: 'hidden',
      bone: 64,
      render: (row) => <Levels {...levelsOf(row, account.platform_type)} isInLine={false} />,
    },
  ]
}

function useMoneyColumns({ currency }: TradedAccount, totals: TradeTotals | null | undefined): Column<Trade>[] {
  const { t } = useTranslation()
  const bare = (amount: string | null | undefined) => <Amount amount={amount} currency={currency} isBare />
  return [
    {
      key: 'volume',
      header: t('Volume'),
      sortsBy: 'volume',
      align: 'right',
      onPhone: 'hidden',
      bone: 40,
      render: ({ volume }) => lots(volume),
      sum: totals && lots(totals.volume),
    },
    {
      key: 'commission',
      header: t('Commission'),
      align: 'right',
      onPhone: 'hidden',
      bone: 48,
      render: ({ commission }) => bare(commission),
      sum: totals && bare(totals.commission),
    },
    {
      key: 'swap',
      header: t('Swap'),
      align: 'right',
      onPhone: 'hidden',
      bone: 48,
      render: ({ swap }) => bare(swap),
      sum: totals && bare(totals.swap),
    },
    {
      key: 'profit',
      header: t('Profit'),
      sortsBy: 'profit',
      align: 'right',
      onPhone: 'top',
      bone: 72,
      render: ({ profit }) => <Amount amount={profit} currency={currency} isResult />,
      sum: totals && (
        <span className={`${parts.stacked} ${parts.levels}`}>
          <Amount amount={totals.profit} currency={currency} isResult />
          <span className={parts.quiet}>
            {t('net')} <Amount amount={totals.net} currency={currency} isBare sign="always" />
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      header: t('Status'),
      bone: 64,
      render: ({ state_label }) => <StatusPill meaning={stateMeaning(state_label)} label={t(state_label ?? '')} />,
    },
  ]
}

export function NoTrades() {
  const { t } = useTranslation()
  return <EmptyState drawing="list" title={t(texts.noTradingTransactions)} text={t(useTradesSource().words.none)} />
}
