import { createContext, useContext } from 'react'
import type {
  OpenPositionsQuery,
  TradeHistoryQuery,
  TradesQuery,
  TradesQueryVariables,
} from '../../api/generated/graphql.ts'

type Page = { rows: TradesQuery['trade_records']; totals: TradesQuery['trade_totals']; total: number }

/** The source of trades: the GraphQL endpoint for a member's own, the staff calls for any member's. */
export type TradesSource = {
  history(accountId: string): Promise<TradeHistoryQuery['trade_history']>
  trades(variables: TradesQueryVariables): Promise<Page>
  positions(accountId: string): Promise<OpenPositionsQuery['open_positions']>
  /** The path of the CSV export, with `:id` for the account. */
  tablePath: string
  /** The texts for a failed load and for an empty list. */
  hints: { holds: string; none: string }
}

const SourceContext = createContext<TradesSource | null>(null)
export const TradesSourceProvider = SourceContext.Provider

export function useTradesSource(): TradesSource {
  const source = useContext(SourceContext)
  if (!source) throw new Error('Trades are shown inside a TradesSourceProvider.')
  return source
}
