import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { recordEvent, type TransactionRow } from '../funding/transaction.ts'
import { type Mover, requirePermit } from '../money-decisions/policy.ts'

type Wanted = {
  memberId: string
  accountId: string
  amount: string
  currency: string
  /** Its provider; null for a transfer that staff credit back, which its member did not request and cannot cancel. */
  uid: string | null
  /** The provider of the withdrawal whose transfer is credited back: the money is to be returned there again. */
  destination?: string | null
  /** The withdrawal that came back, which it credits: the member's own money (decision 0084). */
  returns?: string
  comment: string
  /** When its order was created, for a payment after the order's end. */
  askedAt?: Date
}

/**
 * Creates the pending transaction of an order. Its ticket number blocks the workspace's next one until the commit, so
 * callers read everything first, and the following statements are pipelined.
 */
export async function insertTransaction(tx: Tx, actor: Mover, wanted: Wanted): Promise<TransactionRow> {
  requirePermit(actor, wanted.memberId)
  const transaction_id = newId()
  const ticket = await nextNumber(tx, actor, 'transaction')
  const inserting = tx
    .insertInto('balance_transactions')
    .values({
      workspace_id: actor.workspaceId,
      transaction_id,
      ticket,
      member_id: wanted.memberId,
      account_id: wanted.accountId,
      type: 'deposit',
      amount: wanted.amount,
      currency: wanted.currency,
      state: 'pending',
      ...(wanted.uid === null
        ? { source: 'other', payment_method: 'manual', destination: wanted.destination ?? null }
        : {
            source: 'client',
            payment_method: `${providerPrefix}${wanted.uid}`,
            destination: `${providerPrefix}${wanted.uid}`,
          }),
      origin_id: wanted.returns ?? null,
      comment: wanted.comment,
      asked_at: wanted.askedAt ?? null,
      created_at: actor.context.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const subject = { transaction_id, member_id: wanted.memberId }
  const [row] = await Promise.all([inserting, recordEvent(tx, actor, subject, 'deposit.requested')])
  return row
}
