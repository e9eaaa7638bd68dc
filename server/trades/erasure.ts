import type { Erasure } from '../foundation/erasure.ts'

export const tradesErasure: Erasure = {
  tables: {
    // These are copies: the platform keeps the original records.
    trade_histories: { do: 'remove' },
    trade_deals: { do: 'remove', inPiecesBy: ['account_id', 'deal_id'] },
  },
}
