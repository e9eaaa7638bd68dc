import { createContext, useContext } from 'react'
import type {
  OpenPositionsQuery,
  TradeHistoryQuery,
  TradesQuery,
  TradesQueryVariables,
} from '../../api/generated/graphql.ts'

type Page = { rows: TradesQuery['trade_records']; totals: TradesQuery['trade_totals']; total: number }

/** Where trades come from: a member's own from the query endpoint, any member's at the desk from its calls. */
export type TradesSource = {
  history(accountId: string): Promise<TradeHistoryQuery['trade_history']>
  trades(variables: TradesQueryVariables): Promise<Page>
  positions(accountId: string): Promise<OpenPositionsQuery['open_positions']>
  /** The path of the table to take away, with `:id` for the account. */
  tablePath: string
  /** What still holds when nothing can be shown, and what an empty list will be filled with. */
  words: { holds: string; none: string }
}

const SourceContext = createContext<TradesSource | null>(null)
export const TradesSourceProvider = SourceContext.Provider

export function useTradesSource(): TradesSource {
  const source = useContext(SourceContext)
  if (!source) throw new Error('Trades are shown inside a TradesSourceProvider.')
  return source
}
