import { graphql } from '../../api/generated/gql.ts'

export const bankAccountsQuery = graphql(`
  query BankAccounts {
    bank_accounts {
      _id
      currency
      account_holder
      bank_account
      iban_number
      swift
      bank_name
      country {
        _id
        name
        alpha_2
      }
      address_line_1
      city
      state
      usable_from
    }
  }
`)

/**
 * For the form. A separate query, because a process of the previous version does not know all these fields and would refuse the
 * list; it has every field, because the revision stands for the values read with it.
 */
export const editedBankAccountsQuery = graphql(`
  query EditedBankAccounts {
    bank_accounts {
      _id
      currency
      account_holder
      bank_account
      iban_number
      swift
      bank_name
      country {
        _id
        name
        alpha_2
      }
      address_line_1
      city
      state
      usable_from
      bank_branch
      postcode
      routing_number
      revision
    }
  }
`)

export const companyBanksQuery = graphql(`
  query CompanyBanks {
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
  }
`)

export const otherAccountsQuery = graphql(`
  query OtherAccounts($type: String) {
    other_accounts(type: $type) {
      _id
      name
      type
      provider
      preferred_currency
      notes
      address_id
      address_tag
      address_qr {
        _id
        type
        url
      }
      usable_from
    }
  }
`)

/** For the form, in the same way. */
export const editedOtherAccountsQuery = graphql(`
  query EditedOtherAccounts {
    other_accounts {
      _id
      name
      type
      provider
      preferred_currency
      notes
      address_id
      address_tag
      address_qr {
        _id
        type
        url
      }
      usable_from
      revision
    }
  }
`)
