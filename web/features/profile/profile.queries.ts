import { graphql } from '../../api/generated/gql.ts'

/** Accounts are a separate query, shared with every other screen. */
export const profileQuery = graphql(`
  query Profile {
    current_member {
      _id
      title
      name
      customer_number
      documents_status
      text_language
      language
      time_zone
      colour_scheme
      profile_version
      profile_pic {
        _id
        url
      }
      phones
      emails
      addresses {
        _id
        address_line_1
        address_line_2
        city
        postcode
        state
        primary
        country {
          _id
          name
          alpha_2
        }
      }
    }
  }
`)

/** Separate queries, since each requires its own permission. */
export const ownBankAccountsQuery = graphql(`
  query OwnBankAccounts {
    bank_accounts {
      _id
      currency
      account_holder
      bank_account
      iban_number
      swift
      bank_name
    }
  }
`)

export const quickLinksQuery = graphql(`
  query QuickLinks {
    current_member {
      requests_types_for_quick_links {
        _id
        name
        description
        last_request {
          _id
          number
          status
          created_at
        }
      }
    }
  }
`)
