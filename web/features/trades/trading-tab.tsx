import { limits } from '@atrium/contract/limits.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload, IconFilterOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { HistoryNotice } from './history-notice.tsx'
import { OpenPositions } from './open-positions.tsx'
import { TradeSheet } from './trade-card.tsx'
import { TradeViewer } from './trade-viewer.tsx'
import parts from './trades.module.css'
import { TradesFilters } from './trades-filters.tsx'
import type { TradedAccount } from './trades-search.ts'
import {
  countTradeFilters,
  noTradeFilters,
  readTradesSearch,
  type TradesSearch,
  toTradesVariables,
  writeTradesSearch,
} from './trades-search.ts'
import { useTradesSource } from './trades-source.ts'
import { NoTrades, TradesTable } from './trades-table.tsx'
import { useTradeHistory, useTrades, useTradesExport } from './use-trades.ts'

/** An account's open positions with live figures, and all of its trades. */
export function TradingTab({ account }: { account: TradedAccount }) {
  return (
    <>
      <OpenPositions account={account} />
      <TradesOf account={account} />
    </>
  )
}

function useTradesPlace(accountId: string) {
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const search = readTradesSearch(address)
  const change = (next: Partial<TradesSearch>) =>
    navigate({
      to: '/accounts/$accountId',
      params: { accountId },
      // Keeps the range of the chart above.
      search: {
        ...(address.range !== undefined && { range: address.range }),
        ...writeTradesSearch({ ...search, ...next }),
      } as never,
      replace: true,
      resetScroll: false,
    })
  return { search, change }
}

function TradesOf({ account }: { account: TradedAccount }) {
  const { t } = useTranslation()
  const { search, change } = useTradesPlace(account._id)
  const { words } = useTradesSource()
  const history = useTradeHistory(account._id)
  const list = useTrades(toTradesVariables(account._id, search), history.data)
  const isFiltered = countTradeFilters(search) > 0
  const clear = () => change({ ...noTradeFilters, page: 1, open: undefined })
  const pager = (
    <PagerBar
      page={search.page}
      size={limits.tradesPageSize}
      total={list.data?.total ?? 0}
      onPage={(page) => change({ page, open: undefined })}
    />
  )
  const isFirstRead = history.data?.is_complete === false && list.data?.total === 0 && !isFiltered
  // An empty list means nothing until the platform's history has been read.
  const rows = isFirstRead && history.data?.is_being_read ? undefined : list.data?.rows
  const empty = isFiltered ? <NoMatches onClear={clear} /> : <NoTrades />
  const chosen = list.data?.rows.find(({ _id }) => _id === search.open)
  return (
    <section className={parts.section} aria-labelledby="trade-history">
      <div className={parts.head}>
        <h2 id="trade-history" className={parts.title}>
          {t('Trade history')}
        </h2>
        <TradesActions account={account} search={search} change={change} clear={isFiltered ? clear : undefined} />
      </div>
      <HistoryNotice history={history.data} />
      <TradesFilters
        filters={search}
        symbols={history.data?.symbols ?? []}
        platform={account.platform_type}
        sorting={search}
        onChange={(filters) => change({ ...filters, page: 1, open: undefined })}
      />
      {list.error && !list.data ? (
        <Card>
          <ErrorState error={list.error} onRetry={() => list.refetch()} holds={t(words.holds)} />
        </Card>
      ) : search.view === 'viewer' ? (
        <TradeViewer
          account={account}
          rows={rows}
          open={search.open}
          onOpen={(open) => change({ open })}
          pager={pager}
        />
      ) : (
        <TradesTable
          account={account}
          rows={rows}
          totals={list.data?.totals}
          sorting={{ by: search.sort, order: search.order, onSort: (by, order) => change(sortOf(by, order)) }}
          onOpen={({ _id }) => change({ open: _id })}
          empty={empty}
          footer={pager}
        />
      )}
      {search.view === 'table' && (
        <TradeSheet account={account} trade={chosen} onClose={() => change({ open: undefined })} />
      )}
    </section>
  )
}

const sortOf = (by: string, order: 'asc' | 'desc') => {
  const { sort } = readTradesSearch({ sort: by })
  return { sort, order, page: 1, open: undefined }
}

type ActionsProps = {
  account: TradedAccount
  search: TradesSearch
  change: (next: Partial<TradesSearch>) => void
  clear: (() => void) | undefined
}

function TradesActions({ account, search, change, clear }: ActionsProps) {
  const { t } = useTranslation()
  const table = useTradesExport(account)
  return (
    <div className={parts.actions}>
      {clear && (
        <Button variant="subtle" leftSection={<IconFilterOff size={18} stroke={1.5} />} onClick={clear}>
          {t('Clear filters')}
        </Button>
      )}
      <SegmentedControl
        aria-label={t('Show trades as')}
        value={search.view}
        onChange={(view) => change({ view: view === 'viewer' ? 'viewer' : 'table', open: undefined })}
        data={[
          { value: 'table', label: t('Table') },
          { value: 'viewer', label: t('Details view') },
        ]}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={18} stroke={1.5} />}
        loading={table.isPending}
        onClick={() => table.mutate(search)}
      >
        {t('Export CSV')}
      </Button>
    </div>
  )
}
