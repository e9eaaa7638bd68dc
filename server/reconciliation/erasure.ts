import { type Erasure, ledger } from '../foundation/erasure.ts'

export const reconciliationErasure: Erasure = {
  joined: {
    reconciliation_differences: {
      ...{ owner: 'trading_accounts', by: ['account_id'] },
      ending: { do: 'blank', columns: { note: 'Erased' }, why: ledger },
    },
  },
}
