import { type Erasure, ledger } from '../foundation/erasure.ts'

export const accountsErasure: Erasure = {
  tables: {
    account_figures: { do: 'keep', why: ledger },
    trading_accounts: { do: 'blank', columns: { city: null, country_code: null }, why: ledger },
  },
}
