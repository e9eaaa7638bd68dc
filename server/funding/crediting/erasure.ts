import { type Erasure, ledger } from '../../foundation/erasure.ts'

export const fundingErasure: Erasure = {
  tables: {
    transaction_events: { do: 'apart', where: 'erase_logged_details: notes are removed' },
    balance_transactions: {
      do: 'blank',
      columns: {
        ...{ comment: '', origin: null, destination: null, destination_text: null, rejection_note: null },
        ...{ coin: null, payout_reference: null, asked_from: null },
      },
      why: ledger,
    },
    transaction_attachments: { do: 'keep', why: ledger },
  },
  joined: {
    platform_intents: {
      ...{ owner: 'balance_transactions', by: ['transaction_id'] },
      ending: { do: 'blank', columns: { platform_text: null, last_problem: null }, why: ledger },
    },
    platform_operations: { owner: 'trading_accounts', by: ['account_id'], ending: { do: 'keep', why: ledger } },
  },
}
