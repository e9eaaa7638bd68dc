import { statusOf } from '@atrium/contract/funding/states.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { isPaidAtProvider, lockTransaction, moveTransaction, type TransactionRow } from './transaction.ts'

const statesAsked: readonly string[] = ['cancelled', 'canceled', 'rejected']

/**
 * Cancels a member's own pending transaction, whatever status the request names, and releases the reserved amount.
 * Cancelling a cancelled transaction is a no-op.
 */
export function cancelTransaction(member: Member, transactionId: string) {
  return takeBack(member, transactionId, () => refuse('illegal_move', withdrawalTexts.cannotCancel))
}

async function takeBack(member: Member, transactionId: string, refuseMove: () => never) {
  authorize(member, 'transactions', 'deposit', 'withdraw')
  return inTransaction(member, async (tx) => {
    const row = await lockTransaction(tx, member, transactionId)
    if (row.member_id !== member.memberId) refuseNotFound()
    if (row.state !== 'cancelled') {
      if (!isCancellable(row)) refuseMove()
      await cancel(tx, member, row)
    }
    return { ...(await describe(tx, member, row)), status: statusOf('cancelled') }
  })
}

/** The specification's alternative call for cancelling: accepts only the statuses that mean cancelled. */
export async function changeState(member: Member, { id, status }: { id: string; status: string }) {
  const errors = { status: [withdrawalTexts.cannotCancel] }
  if (!statesAsked.includes(status)) refuse('invalid_input', withdrawalTexts.stateNotChanged, { errors })
  return takeBack(member, id, () => refuse('illegal_move', withdrawalTexts.stateNotChanged, { errors }))
}

function isCancellable(row: TransactionRow): boolean {
  const { source, asked_by, state } = row
  return source === 'client' && asked_by === null && state === 'pending' && !isPaidAtProvider(row)
}

async function cancel(tx: Tx, member: Member, row: TransactionRow): Promise<void> {
  const event = row.type === 'withdrawal' ? 'withdrawal.cancelled' : 'deposit.cancelled'
  await moveTransaction(tx, member, row, { to: 'cancelled', event })
}

async function describe(tx: Tx, member: Member, row: TransactionRow) {
  const account = await tx
    .selectFrom('trading_accounts')
    .select(['balance', 'currency'])
    .where('workspace_id', '=', member.workspaceId)
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const balance = account.balance === null ? null : toScale(account.balance, account.currency)
  return { _id: row.transaction_id, ticket: row.ticket, balance }
}
