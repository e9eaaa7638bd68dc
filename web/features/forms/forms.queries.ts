import { graphql } from '../../api/generated/gql.ts'

/** The current version of a form. */
export const formQuery = graphql(`
  query Form($_id: ID!) {
    form(_id: $_id) {
      _id
      name
      version
      show_conditions
      input_name_conditions
      result_bands
      steps {
        _id
        name
        fields {
          name
          description
          type
          options
          scores
          row
          column
          config
          input_name
        }
      }
    }
  }
`)

/** Choices from the member's own records, in separate queries, because each requires its own permission. */
export const formAccountsQuery = graphql(`
  query FormAccounts {
    current_member {
      _id
      accounts {
        _id
        platform_login
        live_account
        currency
        leverage
        archived
        deleted
        trading_platform {
          _id
          name
        }
      }
    }
  }
`)

export const formBanksQuery = graphql(`
  query FormBanks {
    bank_accounts {
      _id
      bank_name
      account_holder
      currency
    }
  }
`)
