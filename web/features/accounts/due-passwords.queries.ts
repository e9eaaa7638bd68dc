import { graphql } from '../../api/generated/gql.ts'

/** Apart from the keys of accounts, whose entries take live metrics. */
export const duePasswordsKey = (accountId: string) => ['due-passwords', accountId] as const

export const duePasswordsQuery = graphql(`
  query DuePasswords($_id: ID!) {
    trading_account(_id: $_id) {
      _id
      main_password_due
      investor_password_due
    }
  }
`)
