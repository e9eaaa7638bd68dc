import { graphql } from '../../api/generated/gql.ts'

/** Requested on every start: the signed-in member and the name that the shell shows. */
export const currentMemberQuery = graphql(`
  query CurrentMember {
    current_member {
      _id
      name
      first_name
      customer_number
      documents_status
      text_language
      kyc_category_id
      type
      accounts_live_count
      accounts_demo_count
      language
      time_zone
      colour_scheme
      profile_pic {
        _id
        url
      }
    }
  }
`)
