import { type Erasure, ledger } from '../foundation/erasure.ts'

export const openingsErasure: Erasure = {
  tables: {
    account_openings: {
      do: 'blank',
      columns: { platform_text: null, last_problem: null, after_login: null },
      why: ledger,
    },
  },
}
