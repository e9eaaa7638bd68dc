import { graphql } from '../../api/generated/gql.ts'

export const accountsQuery = graphql(`
  query Accounts($sync: Boolean!) {
    current_member {
      _id
      accounts(sync: $sync) {
        _id
        platform_login
        platform_type
        leverage
        group
        balance
        equity
        balance_as_of
        balance_is_live
        live_account
        currency
        status
        country
        country_alpha2
        city
        enable_read_only
        archived
        deleted
        trading_platform {
          _id
          name
          type
        }
        trade_info {
          floating_pnl
        }
      }
    }
  }
`)

export const accountQuery = graphql(`
  query Account($_id: ID!, $sync: Boolean!) {
    trading_account(_id: $_id, sync: $sync) {
      _id
      platform_login
      platform_type
      leverage
      balance
      equity
      credit
      margin
      margin_free
      margin_level
      balance_as_of
      balance_is_live
      live_account
      currency
      country
      country_alpha2
      city
      enable_change_password
      enable_read_only
      status
      archived
      deleted
      trading_platform {
        _id
        name
        type
      }
      trade_info {
        floating_pnl
      }
    }
  }
`)

export const platformServersQuery = graphql(`
  query PlatformServers {
    current_member {
      _id
      accounts {
        _id
        trading_platform {
          _id
          server
        }
      }
    }
  }
`)
