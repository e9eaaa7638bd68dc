import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { providerPrefix } from '@atrium/contract/payments.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/errors.ts'
import type { TransactionRow } from '../funding/transaction.ts'
import { followApproval } from './case-decision.ts'
import { isOpen, moveOrder } from './order.ts'

/**
 * What staff decide about a provider's deposit, its order follows in the same unit of work. While a member may still pay,
 * nobody decides: money that came afterwards would belong to a movement that had ended, or be credited twice.
 */
export async function followDecision(tx: Tx, staff: Staff, deposit: TransactionRow, to: 'paid' | 'declined') {
  if (!deposit.payment_method.startsWith(providerPrefix)) return
  const order = await tx
    .selectFrom('deposit_orders')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', deposit.transaction_id)
    .forUpdate()
    .executeTakeFirst()
  if (!order) return
  if (isOpen(order)) refuse('illegal_move', deskTexts.waitsForProvider)
  if (order.state !== 'for_staff') return
  if (to === 'paid') await followApproval(tx, staff, { order, deposit })
  await moveOrder(tx, staff, order, to)
}
