import { limits } from '@atrium/contract/limits.ts'
import { choice, day, declareList, type FiltersOf, order, text } from '@atrium/contract/list.ts'
import { tradeEntries, tradeOrders, tradeSorts } from '@atrium/contract/trades/calls.ts'
import { momentsOfDays } from '../../ui/lists/moments-of-days.ts'

/** The trades of an account. Days are in the reader's time zone. */
export const tradesList = declareList({
  name: 'trades',
  isNumbered: true,
  pageSize: limits.tradesPageSize,
  filters: {
    symbol: text(/./, 64),
    side: choice(['buy', 'sell']),
    entry: choice(tradeEntries),
    from: day,
    to: day,
    sort: order(tradeSorts, 'time'),
    order: order(tradeOrders, 'desc'),
  },
})

type TradeFilters = FiltersOf<typeof tradesList>

const secondOf = (moment: number) => Math.max(0, Math.floor(moment / 1000))

/** The filter of both the list and its export. */
export function toTradeFilter({ symbol, side, entry, ...days }: TradeFilters) {
  const { first, last } = momentsOfDays(days)
  return {
    ...(symbol && { symbol }),
    ...(side && { side }),
    ...(entry && { entry }),
    ...(first !== undefined && { from: secondOf(first) }),
    ...(last !== undefined && { to: secondOf(last) }),
  }
}

/** The facts about an account that the surrounding page supplies. */
export type TradedAccount = { _id: string; platform_type: string; currency: string; platform_login: string }
