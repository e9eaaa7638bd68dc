import { z } from 'zod'
import { defineCall } from '../call.ts'

/** Sort keys of trade lists. */
export const tradeSorts = ['time', 'symbol', 'side', 'volume', 'price', 'profit'] as const
export type TradeSort = (typeof tradeSorts)[number]
export const tradeOrders = ['asc', 'desc'] as const
export type TradeOrder = (typeof tradeOrders)[number]

/** Filter values with the platforms' command for each side. */
export const tradeSides = new Map([
  ['buy', 'OP_BUY'],
  ['sell', 'OP_SELL'],
])
/** MetaTrader 5 has a deal that opens a position and one that closes it. */
export const tradeEntries = ['in', 'out'] as const

/** Order states of MetaTrader 5, by their number. */
export const mt5States = [
  'Started',
  'Placed',
  'Canceled',
  'Partial',
  'Filled',
  'Rejected',
  'Expired',
  'Request add',
  'Request modify',
  'Request cancel',
] as const

/** Outside MetaTrader 5, state 0 means open and any other closed. */
export function stateLabel(platform: string, state: number): string {
  if (platform === 'mt5') return mt5States[state] ?? String(state)
  return state === 0 ? 'Open' : 'Closed'
}

/** `OP_BUY` on the wire is displayed as `BUY`. */
export function sideOf(cmd: string): string {
  return cmd.replace(/^OP_/, '')
}

const seconds = z.coerce.number().int().min(0).max(253_370_764_800)

/** The trades of an account as CSV, newest first, with the filters of the list. */
export const exportTrades = defineCall({
  method: 'GET',
  path: '/members/trading-accounts/:id/trades/table',
  access: 'member',
  input: z.object({
    id: z.uuid(),
    symbol: z.string().max(64).optional(),
    side: z.enum(['buy', 'sell']).optional(),
    entry: z.enum(tradeEntries).optional(),
    from: seconds.optional(),
    to: seconds.optional(),
  }),
  answer: z.object({ status: z.literal('ok') }),
})
