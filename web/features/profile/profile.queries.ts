import { graphql } from '../../api/generated/gql.ts'

/** The accounts are asked for apart, with the query that every other screen shares. */
export const profileQuery = graphql(`
  query Profile {
    current_member {
      _id
      title
      name
      customer_number
      documents_status
      phones
      emails
      addresses {
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
  }
`)
