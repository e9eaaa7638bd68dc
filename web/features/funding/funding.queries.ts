import { graphql } from '../../api/generated/gql.ts'
import type { TransactionsQuery } from '../../api/generated/graphql.ts'

export const transactionsQuery = graphql(`
  query Transactions(
    $_id: ID
    $ticket: String
    $account_number: String
    $trading_account: ID
    $live_account: Boolean
    $type: String
    $status: String
    $destination: String
    $created_at_from: Millis
    $created_at_to: Millis
    $amount: Money
    $limit: Int
    $page: Int
  ) {
    balance_transactions(
      _id: $_id
      ticket: $ticket
      account_number: $account_number
      trading_account: $trading_account
      live_account: $live_account
      with_cancelled: true
      type: $type
      status: $status
      destination: $destination
      created_at_from: $created_at_from
      created_at_to: $created_at_to
      amount: $amount
      limit: $limit
      page: $page
      withCount: true
    ) {
      _id
      ticket
      type
      amount
      currency
      status
      state
      source
      comment
      origin
      payment_method
      psp_transaction {
        psp
        card_type
        coin_amount
        image_url
      }
      destination
      destination_text
      coin
      coin_network
      fee
      destination_bank_account {
        bank_name
        bank_account
        currency
      }
      platform_ticket
      created_at
      rejection {
        reason
        sentence
        next
        note
      }
      timeline {
        at
        event
        by
        note
      }
      trading_account {
        _id
        platform_login
        live_account
        platform_type
      }
      attachments {
        media_type
        scan
        image {
          _id
          title
          url
        }
        document {
          _id
          title
          url
        }
        file {
          _id
          title
          url
        }
        created_at
      }
    }
  }
`)

export type Transaction = TransactionsQuery['balance_transactions'][number]
