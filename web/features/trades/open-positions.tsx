import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { Ago, Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { areLive } from './are-live.ts'
import { fromSeconds, lots } from './trade-labels.ts'
import { Levels, Side } from './trade-parts.tsx'
import parts from './trades.module.css'
import type { TradedAccount } from './trades-list.ts'
import { type OpenPosition, useOpenPositions } from './use-trades.ts'

/** The positions open on the platform; when it does not answer, the last known ones with their time. */
export function OpenPositions({ account }: { account: TradedAccount }) {
  const { t } = useTranslation()
  const open = useOpenPositions(account._id)
  const columns = useColumns(account, open.data?.profit)
  if (open.error && !open.data)
    return (
      <Card>
        <ErrorState error={open.error} onRetry={() => open.refetch()} />
      </Card>
    )
  return (
    <section data-stack="md" data-shrink aria-labelledby="open-positions">
      <div data-group="md" data-align="center" data-justify="between">
        <h2 id="open-positions" className={parts.title}>
          {t('Open positions')}
        </h2>
        {open.data && <Liveness readAt={open.data.read_at} isLive={areLive(open)} />}
      </div>
      <DataTable
        label={t('Open positions')}
        columns={columns}
        rows={open.data === null ? [] : open.data?.positions}
        rowKey={({ _id }) => _id}
        empty={
          open.data?.read_at === null ? (
            <EmptyState
              drawing="broken"
              title={t('The platform does not answer right now')}
              text={t('Open positions will be listed once it does.')}
            />
          ) : (
            <EmptyState drawing="list" title={t('No open positions')} />
          )
        }
        sumsLabel={t('Total')}
        isLive
      />
    </section>
  )
}

function Liveness({ readAt, isLive }: { readAt: number | null; isLive: boolean }) {
  const { t } = useTranslation()
  if (readAt === null) return null
  if (isLive) return <StatusPill meaning="green" label={t('Live data')} />
  return (
    <span className={parts.quiet}>
      {t('As of')} <Ago at={readAt} />
    </span>
  )
}

function useColumns({ currency }: TradedAccount, profit: string | undefined): Column<OpenPosition>[] {
  const { t } = useTranslation()
  const isCompact = useIsCompact()
  return [
    {
      key: 'symbol',
      header: t('Symbol'),
      onPhone: 'top',
      skeletonWidth: 64,
      render: ({ symbol, volume }) => (
        <strong className={parts.symbol}>{isCompact ? `${symbol} \u00b7 ${lots(volume)}` : symbol}</strong>
      ),
    },
    { key: 'side', header: t('Side'), skeletonWidth: 40, render: ({ cmd }) => <Side cmd={cmd} /> },
    {
      key: 'volume',
      header: t('Volume'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 40,
      render: ({ volume }) => lots(volume),
    },
    {
      key: 'time',
      header: t('Opened'),
      skeletonWidth: 96,
      render: ({ timestamp }) => <Moment at={fromSeconds(timestamp)} isStacked={!isCompact} />,
    },
    { key: 'open', header: t('Open price'), align: 'right', skeletonWidth: 64, render: (row) => row.open_price },
    { key: 'now', header: t('Current price'), align: 'right', skeletonWidth: 64, render: (row) => row.current_price },
    {
      key: 'levels',
      header: t('S/L and T/P'),
      align: 'right',
      skeletonWidth: 64,
      render: ({ sl = null, tp = null }) =>
        isCompact && sl === null && tp === null ? null : <Levels sl={sl} tp={tp} isInLine={isCompact} />,
    },
    {
      key: 'swap',
      header: t('Swap'),
      align: 'right',
      skeletonWidth: 48,
      render: ({ swap }) => <Amount amount={swap} currency={currency} isBare />,
    },
    {
      key: 'profit',
      header: t('Profit'),
      align: 'right',
      onPhone: 'top',
      skeletonWidth: 72,
      render: (row) => <Amount amount={row.profit} currency={currency} isResult />,
      sum: profit !== undefined && <Amount amount={profit} currency={currency} isResult />,
    },
  ]
}
