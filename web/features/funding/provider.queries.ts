import { graphql } from '../../api/generated/gql.ts'

/** The payment methods, and what the member's profile knows of the payer. */
export const waysToPayQuery = graphql(`
  query WaysToPay {
    available_psps {
      _id
      name
      app_uid
      takes_coins
      app {
        image_url
      }
      currencies {
        currency
        amount_min
        amount_max
        fee_percent
        fee_fixed
      }
    }
    current_member {
      phones
      emails
      addresses {
        _id
        address_line_1
        city
        primary
        country {
          alpha_2
        }
      }
    }
  }
`)
