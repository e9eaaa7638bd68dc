import { graphql } from '../../api/generated/gql.ts'

/** The three lists with their counts, in one request. */
export const ticketListsQuery = graphql(`
  query TicketLists($q: String, $limit: Int, $openPage: Int, $takenPage: Int, $closedPage: Int) {
    open: tickets(q: $q, status: "open", limit: $limit, page: $openPage, withCount: true) {
      ...TicketRow
    }
    taken: tickets(q: $q, status: "taken", limit: $limit, page: $takenPage, withCount: true) {
      ...TicketRow
    }
    closed: tickets(q: $q, status: "resolved", limit: $limit, page: $closedPage, withCount: true) {
      ...TicketRow
    }
  }
  fragment TicketRow on Ticket {
    _id
    ticket
    subject
    priority
    status
    is_unread
    created_at
    last_reply_at
  }
`)

export const ticketQuery = graphql(`
  query Ticket($_id: ID!) {
    tickets(_id: $_id, limit: 1) {
      _id
      ticket
      type
      priority
      subject
      status
      description
      created_at
      is_unread
      taken_by {
        _id
        name
        profile_pic {
          _id
          url
        }
      }
      customer {
        _id
        name
        profile_pic {
          _id
          url
        }
      }
      merged_into {
        _id
        ticket
      }
      conversation {
        uid
        type
        content
        is_staff
        created_at
        created_by {
          _id
          name
          profile_pic {
            _id
            url
          }
        }
        attachment {
          _id
          url
          name
          type
          extension
          size_bytes
          scan
        }
      }
      model {
        __typename
        ... on TradingAccount {
          _id
          platform_login
          balance
          currency
          trading_platform {
            _id
            type
          }
        }
        ... on BalanceTransaction {
          _id
          ticket
          type
          amount
          currency
          trading_account {
            _id
            platform_login
          }
        }
        ... on PlatformDownload {
          _id
          name
          platform
          trading_platform_name
        }
      }
    }
  }
`)
