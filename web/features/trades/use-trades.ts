import { limits } from '@atrium/contract/limits.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type {
  AccountTransactionsQuery,
  OpenPositionsQuery,
  TradeHistoryQuery,
  TradesQuery,
  TradesQueryVariables,
} from '../../api/generated/graphql.ts'
import { saveTable } from '../../api/save-table.ts'
import { graph } from '../../api/transport.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { accountTransactionsQuery, latestTransactionsQuery } from './trades.queries.ts'
import type { TradedAccount } from './trades-search.ts'
import { type TradeFilters, toTradeFilter } from './trades-search.ts'
import { useTradesSource } from './trades-source.ts'

export type Trade = TradesQuery['trade_records'][number]
export type TradeTotals = NonNullable<TradesQuery['trade_totals']>
export type TradeHistory = NonNullable<TradeHistoryQuery['trade_history']>
export type OpenPosition = NonNullable<OpenPositionsQuery['open_positions']>['positions'][number]
export type Transaction = AccountTransactionsQuery['balance_transactions'][number]

const tradesKey = ['trades'] as const
/** While a history is being read it changes every second; otherwise slow polling makes the server continue reading. */
const readingPollMs = 1_000
const restingPollMs = 15_000
const positionsPollMs = 2_000

/** How far the account's history has been read. */
export function useTradeHistory(accountId: string) {
  const source = useTradesSource()
  return useQuery({
    queryKey: [...tradesKey, accountId, 'history'],
    queryFn: () => source.history(accountId),
    refetchInterval: ({ state }) => (state.data?.is_being_read ? readingPollMs : restingPollMs),
  })
}

/** One page of trades with the totals of all filtered ones; refetched when more of the history has been read. */
export function useTrades(variables: TradesQueryVariables, history: TradeHistory | null | undefined) {
  const source = useTradesSource()
  const reach = [history?.read_at, history?.read_from]
  return useQuery({
    queryKey: [...tradesKey, variables.trading_account, 'list', variables, reach],
    queryFn: () => source.trades(variables),
    placeholderData: keepPreviousData,
  })
}

/** Open positions with live figures. */
export function useOpenPositions(accountId: string) {
  const source = useTradesSource()
  return useQuery({
    queryKey: [...tradesKey, accountId, 'open'],
    queryFn: () => source.positions(accountId),
    refetchInterval: positionsPollMs,
  })
}

const movingPollMs = 2_500

/** Deposits and withdrawals of one account: paged, or only the latest when the member cannot see the full list. */
export function useTransactions(accountId: string, page: number, isListed: boolean) {
  return useQuery({
    queryKey: ['transactions', 'of-account', accountId, page, isListed],
    queryFn: async () => {
      if (!isListed) {
        const { data } = await graph(latestTransactionsQuery, { trading_account: accountId })
        const rows: Transaction[] = data.trading_account?.balance_transactions ?? []
        return { rows, total: rows.length }
      }
      const variables = { trading_account: accountId, limit: limits.transactionsPageSize, page }
      const { data, extra } = await graph(accountTransactionsQuery, variables)
      const rows = data.balance_transactions
      return { rows, total: extra.countBalancetransactions ?? rows.length }
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.rows.some(({ state: is }) => is === 'crediting' || is === 'checking') ? movingPollMs : false,
  })
}

/** Exports the filtered trades as a CSV stream. */
export function useTradesExport(account: TradedAccount) {
  const { t } = useTranslation()
  const { tablePath } = useTradesSource()
  return useMutation({
    mutationFn: (filters: TradeFilters) =>
      saveTable(tablePath.replace(':id', account._id), toTradeFilter(filters), `trades-${account.platform_login}.csv`),
    onError: (error) => notice.refused(t(error.message)),
  })
}
