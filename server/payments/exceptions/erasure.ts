import { type Erasure, ledger } from '../../foundation/erasure.ts'
import { clearWebhookEventsOf } from '../webhook-event-clearing.ts'

export const paymentsErasure: Erasure = {
  before: clearWebhookEventsOf,
  tables: {
    deposit_orders: {
      do: 'blank',
      columns: { hand_off: null, problem: null, card_type: null },
      why: ledger,
    },
    payout_orders: { do: 'blank', columns: { problem: null }, why: ledger },
  },
  joined: {
    payment_cases: {
      ...{ owner: 'deposit_orders', by: ['order_id'] },
      ending: { do: 'blank', columns: { note: null, outside_reference: null }, why: ledger },
    },
    payment_credits: { owner: 'balance_transactions', by: ['transaction_id'], ending: { do: 'keep', why: ledger } },
    payment_notifications: {
      ...{ owner: 'deposit_orders', by: ['order_id'] },
      ending: { do: 'apart', where: 'payments/webhook-event-clearing.ts, including those of payouts' },
    },
  },
}
