import { type Erasure, ledger } from '../foundation/erasure.ts'

export const bankingErasure: Erasure = {
  tables: {
    bank_accounts: {
      do: 'blank',
      columns: {
        account_holder: 'Erased',
        bank_account: 'Erased',
        iban_number: null,
        address_line_1: null,
        city: null,
        state: null,
        bank_branch: null,
        postcode: null,
        routing_number: null,
      },
      why: ledger,
    },
    fund_accounts: {
      do: 'blank',
      columns: {
        ...{ name: 'Erased', provider: 'Erased', address_id: 'Erased' },
        ...{ address_tag: null, notes: null, qr_media_id: null },
      },
      why: ledger,
    },
  },
}
