import { graphql } from '../../api/generated/gql.ts'

export const transferBanksQuery = graphql(`
  query TransferBanks {
    system_bank_accounts {
      _id
      currency
      account_holder
      bank_account
      iban_number
      swift
      bank_name
      address_line_1
      identifier
      notes
      sort_code
    }
    bank_accounts {
      _id
      currency
      account_holder
      bank_account
      iban_number
      bank_name
    }
  }
`)

export const beneficiariesQuery = graphql(`
  query WithdrawalBeneficiaries {
    bank_accounts {
      _id
      currency
      account_holder
      bank_name
    }
    others: other_accounts(type: "other") {
      _id
      name
      provider
      preferred_currency
    }
    wallets: other_accounts(type: "crypto") {
      _id
      name
      provider
      preferred_currency
    }
  }
`)
