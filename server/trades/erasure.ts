import type { Erasure } from '../foundation/erasure.ts'

export const tradesErasure: Erasure = {
  tables: {
    // Copies: the books of trades are the platform's.
    trade_histories: { do: 'remove' },
    trade_deals: { do: 'remove', inPiecesBy: ['account_id', 'deal_id'] },
  },
}
