import { graphql } from '../../api/generated/gql.ts'

/** The member's accounts with the downloads of their platforms. */
export const downloadsQuery = graphql(`
  query Downloads {
    current_member {
      _id
      accounts {
        _id
        platform_login
        live_account
        deleted
        trading_platform {
          _id
          name
          type
          downloads {
            _id
            platform
            name
            link
            file {
              _id
              title
              url
            }
          }
        }
      }
    }
  }
`)
