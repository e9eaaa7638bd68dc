import { exportTrades } from '@atrium/contract/trades/calls.ts'
import { graph } from '../../api/transport.ts'
import { openPositionsQuery, tradeHistoryQuery, tradesQuery } from './trades.queries.ts'
import type { TradesSource } from './trades-source.ts'

/** The signed-in member's own trades. */
export const ownTrades: TradesSource = {
  history: async (id) => (await graph(tradeHistoryQuery, { trading_account: id })).data.trade_history,
  async trades(variables) {
    const { data, extra } = await graph(tradesQuery, variables)
    const rows = data.trade_records
    return { rows, totals: data.trade_totals, total: extra.countTraderecords ?? rows.length }
  },
  positions: async (id) => (await graph(openPositionsQuery, { trading_account: id })).data.open_positions,
  tablePath: exportTrades.path,
  hints: { holds: 'Your trades are not affected.', none: 'Your trades on this account will be listed here.' },
}
