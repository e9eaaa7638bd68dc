import { graphql } from '../../api/generated/gql.ts'

export const tradesQuery = graphql(`
  query Trades(
    $trading_account: ID!
    $symbol: String
    $side: String
    $entry: String
    $from: Seconds
    $to: Seconds
    $sort: String
    $order: String
    $limit: Int
    $page: Int
  ) {
    trade_records(
      trading_account: $trading_account
      symbol: $symbol
      side: $side
      entry: $entry
      from: $from
      to: $to
      sort: $sort
      order: $order
      limit: $limit
      page: $page
      withCount: true
    ) {
      _id
      order
      cmd
      entry
      symbol
      volume
      open_price
      close_price
      tp
      sl
      price_tp
      price_sl
      profit
      swap
      commission
      state
      state_label
      timestamp
      opened_at
      comment
      ticket
      deal
    }
    trade_totals(
      trading_account: $trading_account
      symbol: $symbol
      side: $side
      entry: $entry
      from: $from
      to: $to
    ) {
      count
      volume
      profit
      swap
      commission
      net
    }
  }
`)

export const tradeHistoryQuery = graphql(`
  query TradeHistory($trading_account: ID!) {
    trade_history(trading_account: $trading_account) {
      read_from
      read_at
      is_complete
      is_being_read
      failing_since
      symbols
    }
  }
`)

export const openPositionsQuery = graphql(`
  query OpenPositions($trading_account: ID!) {
    open_positions(trading_account: $trading_account) {
      read_at
      is_live
      profit
      positions {
        _id
        cmd
        symbol
        volume
        open_price
        current_price
        sl
        tp
        profit
        swap
        timestamp
        comment
      }
    }
  }
`)

graphql(`
  fragment AccountTransaction on BalanceTransaction {
    _id
    ticket
    type
    amount
    currency
    status
    state
    comment
    payment_method
    destination
    platform_ticket
    created_at
    timeline {
      event
    }
    trade_record {
      _id
      deal
      login
      comment
      trade_record_type
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
`)

export const accountTransactionsQuery = graphql(`
  query AccountTransactions($trading_account: ID!, $limit: Int, $page: Int) {
    balance_transactions(
      trading_account: $trading_account
      with_cancelled: true
      limit: $limit
      page: $page
      withCount: true
    ) {
      ...AccountTransaction
    }
  }
`)

/** Only the latest transactions, shown on the account page. */
export const latestTransactionsQuery = graphql(`
  query LatestTransactions($trading_account: ID!) {
    trading_account(_id: $trading_account) {
      _id
      balance_transactions {
        ...AccountTransaction
      }
    }
  }
`)
