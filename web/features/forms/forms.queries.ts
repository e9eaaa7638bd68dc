import { graphql } from '../../api/generated/gql.ts'

/** A form as it is now. */
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

/** What a form offers of the member's own: each asked for apart, since each is open to those only who may see it elsewhere. */
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
