import { graphql } from '../../../api/generated/gql.ts'

export const pendingDepositsQuery = graphql(`
  query PendingDeposits($_id: ID, $limit: Int, $page: Int) {
    pending_deposits(_id: $_id, limit: $limit, page: $page, withCount: true) {
      _id
      number
      description
      subtotal
      created_at
      trading_account {
        _id
        platform_login
        currency
        live_account
      }
      data
    }
  }
`)
