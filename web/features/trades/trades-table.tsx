import { texts } from '@atrium/contract/texts.ts'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { type Column, OpenButton } from '../../ui/lists/data-table.tsx'
import { withFilter } from '../../ui/lists/list-address.ts'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { fromSeconds, levelsOf, lots, stateMeaning, tradeName } from './trade-labels.ts'
import { Levels, Side } from './trade-parts.tsx'
import parts from './trades.module.css'
import type { TradesState } from './trades-filters.tsx'
import { type TradedAccount, tradesList } from './trades-list.ts'
import { useTradesSource } from './trades-source.ts'
import type { Trade, TradeTotals } from './use-trades.ts'

type TradesTableProps = {
  account: TradedAccount
  at: TradesState
  /** Undefined until an empty list means something. */
  rows: Trade[] | undefined
  onOpen: (trade: Trade) => void
}

export function TradesTable({ account, at, rows, onOpen }: TradesTableProps) {
  const { t } = useTranslation()
  const { hints } = useTradesSource()
  const totals = at.page.data?.answer.totals
  const { sort = 'time', order = 'desc' } = at.asked
  const onSort = (by: string, direction: 'asc' | 'desc') =>
    at.go(withFilter(tradesList, at.search, { sort: by, order: direction }))
  return (
    <ListRows
      at={at}
      rows={rows}
      label={t('Trade history')}
      holds={t(hints.holds)}
      columns={[...useTradeColumns(account, onOpen), ...useMoneyColumns(account, totals)]}
      onOpen={onOpen}
      sorting={{ by: sort, order, onSort }}
      sumsLabel={totals ? t('Total of {{count}}', { count: totals.count }) : undefined}
      empty={<EmptyState drawing="list" title={t(texts.noTradingTransactions)} text={t(hints.none)} />}
      footer={<ListPages at={at} isCountShown />}
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
      skeletonWidth: 72,
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
      skeletonWidth: 40,
      render: ({ cmd, entry }) => <Side cmd={cmd} entry={entry ?? null} />,
    },
    {
      key: 'time',
      header: t('Time'),
      sortsBy: 'time',
      skeletonWidth: 96,
      render: ({ timestamp }) => <Moment at={fromSeconds(timestamp)} isStacked={!isCompact} />,
    },
    {
      key: 'open',
      header: t('Open price'),
      align: 'right',
      skeletonWidth: 64,
      render: (row) => row.open_price ?? '\u2013',
    },
    {
      key: 'close',
      header: t('Close price'),
      sortsBy: 'price',
      align: 'right',
      skeletonWidth: 64,
      render: (row) => row.close_price ?? (isCompact ? null : '\u2013'),
    },
    {
      key: 'levels',
      header: t('S/L and T/P'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 64,
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
      skeletonWidth: 40,
      render: ({ volume }) => lots(volume),
      sum: totals && lots(totals.volume),
    },
    {
      key: 'commission',
      header: t('Commission'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 48,
      render: ({ commission }) => bare(commission),
      sum: totals && bare(totals.commission),
    },
    {
      key: 'swap',
      header: t('Swap'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 48,
      render: ({ swap }) => bare(swap),
      sum: totals && bare(totals.swap),
    },
    {
      key: 'profit',
      header: t('Profit'),
      sortsBy: 'profit',
      align: 'right',
      onPhone: 'top',
      skeletonWidth: 72,
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
      skeletonWidth: 64,
      render: ({ state_label }) => <StatusPill meaning={stateMeaning(state_label)} label={t(state_label ?? '')} />,
    },
  ]
}
