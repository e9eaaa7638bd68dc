import { type Erasure, ledger } from '../foundation/erasure.ts'

export const withdrawalsErasure: Erasure = {
  joined: {
    withdrawal_approvals: {
      owner: 'balance_transactions',
      by: ['transaction_id'],
      ending: { do: 'keep', why: ledger },
    },
  },
}
