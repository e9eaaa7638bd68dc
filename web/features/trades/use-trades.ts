import { limits } from '@atrium/contract/limits.ts'
import { declareList } from '@atrium/contract/list.ts'
import { useQuery } from '@tanstack/react-query'
import type {
  AccountTransactionsQuery,
  OpenPositionsQuery,
  TradeHistoryQuery,
  TradesQuery,
} from '../../api/generated/graphql.ts'
import { saveTable } from '../../api/save-table.ts'
import { graph } from '../../api/transport.ts'
import { type ListSource, numberedPage } from '../../ui/lists/list-query.ts'
import { accountTransactionsQuery, latestTransactionsQuery } from './trades.queries.ts'
import { type TradedAccount, toTradeFilter, tradesList } from './trades-list.ts'
import { useTradesSource } from './trades-source.ts'

export type Trade = TradesQuery['trade_records'][number]
export type TradeTotals = NonNullable<TradesQuery['trade_totals']>
export type TradeHistory = NonNullable<TradeHistoryQuery['trade_history']>
export type OpenPosition = NonNullable<OpenPositionsQuery['open_positions']>['positions'][number]
export type Transaction = AccountTransactionsQuery['balance_transactions'][number]

const tradesKey = ['trades'] as const
/** While a history is being read it changes every second; otherwise slow polling makes the server continue reading. */
const readingPollMs = 1_000
const idlePollMs = 15_000
const positionsPollMs = 2_000

/** How far the account's history has been read. */
export function useTradeHistory(accountId: string) {
  const source = useTradesSource()
  return useQuery({
    queryKey: [...tradesKey, accountId, 'history'],
    queryFn: () => source.history(accountId),
    refetchInterval: ({ state }) => (state.data?.is_being_read ? readingPollMs : idlePollMs),
  })
}

export type TradesAnswer = { totals: TradeTotals | null }

/** Trades with the totals of all filtered ones; refetched when more of the history has been read. */
export function useTradesOf(
  { _id, platform_login }: TradedAccount,
  history: TradeHistory | null | undefined,
): ListSource<typeof tradesList, Trade, TradesAnswer> {
  const source = useTradesSource()
  return {
    list: tradesList,
    key: [...tradesKey, _id, 'list', history?.read_at, history?.read_from],
    async ask({ page = 1, ...asked }) {
      const { sort, order } = asked
      const variables = {
        trading_account: _id,
        ...toTradeFilter(asked),
        sort,
        order,
        page,
        limit: limits.tradesPageSize,
      }
      const { rows, total, totals = null } = await source.trades(variables)
      return numberedPage(rows, total, { totals })
    },
    save: (asked) =>
      saveTable(source.tablePath.replace(':id', _id), toTradeFilter(asked), `trades-${platform_login}.csv`),
  }
}

/** Open positions with live metrics. */
export function useOpenPositions(accountId: string) {
  const source = useTradesSource()
  return useQuery({
    queryKey: [...tradesKey, accountId, 'open'],
    queryFn: () => source.positions(accountId),
    refetchInterval: positionsPollMs,
  })
}

const movingPollMs = 2_500
/** The states that the platform ends within seconds; a decision or a payout takes hours and has its notification. */
const atPlatform: ReadonlySet<string> = new Set(['crediting', 'debiting', 'checking', 'returning'])

const balanceList = declareList({
  name: 'account-transactions',
  isNumbered: true,
  pageSize: limits.transactionsPageSize,
  filters: {},
})

/** Deposits and withdrawals of one account: paged, or only the latest when the member cannot see the full list. */
export const transactionsOf = (
  accountId: string,
  isListed: boolean,
): ListSource<typeof balanceList, Transaction, null> => ({
  list: balanceList,
  key: ['transactions', 'of-account', accountId, isListed],
  async ask({ page = 1 }) {
    if (!isListed) {
      const { data } = await graph(latestTransactionsQuery, { trading_account: accountId })
      return numberedPage<Transaction>(data.trading_account?.balance_transactions ?? [], undefined)
    }
    const variables = { trading_account: accountId, limit: limits.transactionsPageSize, page }
    const { data, extra } = await graph(accountTransactionsQuery, variables)
    return numberedPage(data.balance_transactions, extra.countBalancetransactions)
  },
  refreshMs: (rows) => (rows.some(({ state }) => atPlatform.has(state)) ? movingPollMs : false),
})
