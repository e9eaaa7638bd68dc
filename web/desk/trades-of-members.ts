import * as desk from '@atrium/contract/trades/desk-calls.ts'
import { call } from '../api/transport.ts'
import type { TradesSource } from '../features/trades/trades-source.ts'

/** Trades of all members, for staff with the right to read money. */
export const tradesOfMembers: TradesSource = {
  history: async (id) => (await call(desk.readAccountHistory, { id })).history,
  async trades({ trading_account, symbol, side, entry, from, to, sort, order, page, limit }) {
    const asked = { symbol, side, entry, from, to, sort, order, page, limit }
    const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== null)
    const input = { ...Object.fromEntries(given), id: trading_account }
    const { trades, totals, total } = await call(desk.listAccountTrades, input)
    return { rows: trades, totals, total }
  },
  positions: (id) => call(desk.listAccountPositions, { id }),
  tablePath: desk.exportAccountTrades.path,
  hints: { holds: 'Nothing has been changed.', none: 'The member’s trades on this account will be listed here.' },
}
