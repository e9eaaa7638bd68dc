import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { dayFields } from '../../ui/lists/member/day-fields.tsx'
import { ListFields, SortField } from '../../ui/lists/member/list-fields.tsx'
import type { ListState } from '../../ui/lists/use-list.ts'
import type { tradesList } from './trades-list.ts'
import type { Trade, TradesAnswer } from './use-trades.ts'

export type TradesState = ListState<typeof tradesList, Trade, TradesAnswer>
type FiltersProps = { at: TradesState; symbols: string[]; platform: string }

const sides = { buy: 'BUY', sell: 'SELL' }
const entries = { in: 'In', out: 'Out' }
const orders = {
  'time desc': 'Newest first',
  'time asc': 'Oldest first',
  'profit desc': 'Highest profit',
  'profit asc': 'Highest loss',
  'volume desc': 'Largest volume',
  'symbol asc': 'Symbol, A to Z',
}

/** The card layout has no column heads, so the order is chosen here. */
export function TradesFilters({ at, symbols, platform }: FiltersProps) {
  const isCompact = useIsCompact()
  const { symbol = '' } = at.search
  return (
    <ListFields<typeof tradesList, Trade, TradesAnswer>
      at={at}
      columns={5}
      fields={{
        symbol: { label: 'Symbol', data: [...symbols, symbol].filter((each) => each !== ''), isSearchable: true },
        side: { label: 'Side', labels: sides },
        entry: platform === 'mt5' && { label: 'Entry', labels: entries },
        from: dayFields,
        sort: isCompact && (({ change }) => <SortField labels={orders} asked={at.asked} onSort={change} />),
      }}
    />
  )
}
