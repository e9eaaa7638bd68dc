import { exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { isPaidAtProvider, type TransactionRow } from '../funding/transaction.ts'
import type { Decider } from '../money-decisions/policy.ts'
import { followApproval, followNewCredit } from './exceptions/exception-decision.ts'
import { reopenReturn } from './exceptions/returned-transfer.ts'
import { isOpen, moveOrder, type Order } from './order.ts'

/**
 * Updates the order of a provider's deposit in the transaction of the staff decision. Staff cannot decide while the
 * member may still pay: later money would belong to a closed transaction, or be credited twice.
 */
export async function followDecision(tx: Tx, by: Decider, deposit: TransactionRow, to: 'paid' | 'declined') {
  const order = await lockDecidable(tx, by, deposit)
  if (isPaidAtProvider(deposit)) return followNewCredit(tx, by, deposit)
  if (!order && to === 'declined') return reopenReturn(tx, by, deposit)
  if (order?.state !== 'for_staff') return
  if (to === 'paid') await followApproval(tx, by, { order, deposit })
  await moveOrder(tx, by, order, to)
}

/**
 * Refuses a first of two approvals here when the decision belongs elsewhere: to the provider, or to the payment
 * exceptions.
 */
export async function refuseAtProvider(tx: Tx, staff: Staff, deposit: TransactionRow): Promise<void> {
  const order = await lockDecidable(tx, staff, deposit)
  if (order?.state === 'for_staff') refuse('illegal_move', exceptionTexts.twoPeople)
}

async function lockDecidable(tx: Tx, staff: Staff, deposit: TransactionRow): Promise<Order | undefined> {
  if (!deposit.payment_method.startsWith(providerPrefix)) return undefined
  const order = await tx
    .selectFrom('deposit_orders')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', deposit.transaction_id)
    .forUpdate()
    .executeTakeFirst()
  if (order && isOpen(order)) refuse('illegal_move', deskTexts.waitsForProvider)
  return order
}
