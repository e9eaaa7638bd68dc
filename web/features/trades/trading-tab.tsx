import { SegmentedControl } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { countFilters } from '../../ui/lists/list-address.ts'
import { ClearButton } from '../../ui/lists/member/clear-button.tsx'
import { ExportButton } from '../../ui/lists/member/export-button.tsx'
import { useNoOther, useShownRow } from '../../ui/lists/member/use-shown-row.ts'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { HistoryNotice } from './history-notice.tsx'
import { OpenPositions } from './open-positions.tsx'
import { TradeSheet } from './trade-card.tsx'
import { TradeViewer } from './trade-viewer.tsx'
import parts from './trades.module.css'
import { TradesFilters } from './trades-filters.tsx'
import { type TradedAccount, tradesList } from './trades-list.ts'
import { useTradesSource } from './trades-source.ts'
import { TradesTable } from './trades-table.tsx'
import { useTradeHistory, useTradesOf } from './use-trades.ts'

/** An account's open positions with live metrics, and all of its trades. */
export function TradingTab({ account }: { account: TradedAccount }) {
  return (
    <>
      <OpenPositions account={account} />
      <TradesOf account={account} />
    </>
  )
}

function TradesOf({ account }: { account: TradedAccount }) {
  const { t } = useTranslation()
  const { hints } = useTradesSource()
  const { open, range, view } = useSearch({ strict: false }) as { open?: string; range?: string; view?: string }
  const isViewer = view === 'viewer'
  const { data: history } = useTradeHistory(account._id)
  const at = useList(useTradesOf(account, history), {
    to: '/accounts/$accountId',
    params: { accountId: account._id },
    // The range is that of the chart above.
    others: { tab: 'trading', range, view: isViewer ? view : undefined },
    ...inPlace,
  })
  const { data, error, refetch } = at.page
  const isFirstRead = history?.is_complete === false && data?.total === 0 && countFilters(tradesList, at.search) === 0
  // An empty list means nothing until the platform's history has been read.
  const rows = isFirstRead && history.is_being_read ? undefined : at.rows
  const show = (id: string | undefined) => at.show({ open: id })
  const shared = { account, rows }
  const { shown } = useShownRow({ id: open, rows: data?.rows, useOne: useNoOther })
  return (
    <section data-stack="md" data-shrink aria-labelledby="trade-history">
      <div data-group="md" data-align="center" data-justify="between">
        <h2 id="trade-history" className={parts.title}>
          {t('Trade history')}
        </h2>
        <div className={parts.actions} data-group="sm" data-align="center">
          <ClearButton at={at} />
          <SegmentedControl
            aria-label={t('Show trades as')}
            value={isViewer ? 'viewer' : 'table'}
            onChange={(chosen) => at.show({ view: chosen === 'viewer' ? chosen : undefined })}
            data={[
              { value: 'table', label: t('Table') },
              { value: 'viewer', label: t('Details view') },
            ]}
          />
          <ExportButton label={t('Export CSV')} save={at.save} />
        </div>
      </div>
      <HistoryNotice history={history} />
      <TradesFilters at={at} symbols={history?.symbols ?? []} platform={account.platform_type} />
      {!isViewer ? (
        <TradesTable {...shared} at={at} onOpen={({ _id }) => show(_id)} />
      ) : error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} holds={t(hints.holds)} />
        </Card>
      ) : (
        <TradeViewer {...shared} open={open} onOpen={show} pager={<ListPages at={at} isCountShown />} />
      )}
      {!isViewer && <TradeSheet account={account} trade={shown} onClose={() => show(undefined)} />}
    </section>
  )
}
