import type { Feature } from './scopes.ts'

/**
 * What needs a feature beside that of its scope: an account may be open to its member while its trades are not. Apart from
 * the scopes, since only the server looks it up and members on their way in need not load it.
 */
export const ownFeatures: Readonly<Record<string, Feature>> = {
  'GET /members/trading-accounts/:id/trades/table': 'trades',
  'Query.pending_deposits': 'pending_deposits_list',
  'Query.trade_records': 'trades',
  'Query.trade_totals': 'trades',
  'Query.trade_history': 'trades',
  'Query.open_positions': 'trades',
  'TradingAccount.trade_records': 'trades',
}
