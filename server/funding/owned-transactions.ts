import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** Money transactions joined with their member and account. */
export const selectOwnedTransactions = (tx: Tx, { workspaceId }: Actor) =>
  tx
    .selectFrom('balance_transactions as transaction')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'transaction.workspace_id')
        .onRef('member.member_id', '=', 'transaction.member_id'),
    )
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'transaction.workspace_id')
        .onRef('account.account_id', '=', 'transaction.account_id'),
    )
    .where('transaction.workspace_id', '=', workspaceId)
