import type { Selectable } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { PaymentCases } from '../../foundation/database/database.generated.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import type { Mover } from '../../money-decisions/policy.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import { readProvider } from '../connections/provider.ts'
import type { Order } from '../order.ts'

export type PaymentException = Selectable<PaymentCases>

/** Identifies one payment of an order: the provider's reference, or our attempt id without one. */
export const paymentOf = (order: Pick<Order, 'attempt'>, reference: string | null): string => reference ?? order.attempt

/** The payment that a credit claims, independent of the exception's own key. */
export const claimOf = ({ payment, claims }: Pick<PaymentException, 'payment' | 'claims'>): string => claims ?? payment

type Opening = {
  reported: StatusReport
  why: string
  /** Distinguishes several exceptions of one payment: the unknown status. */
  about?: string
}

/**
 * Opens a payment exception once per payment, however often it is notified. Returns whether a decision is still needed:
 * a closed exception stays closed.
 */
export async function openException(
  tx: Tx,
  actor: Actor,
  order: Order,
  { reported, why, about }: Opening,
): Promise<'waiting' | 'decided'> {
  const key = { workspace_id: actor.workspaceId, order_id: order.order_id }
  const claimed = paymentOf(order, reported.reference)
  const payment = about === undefined ? claimed : `${claimed} ${about}`
  const kind = reported.state === 'returned' ? 'returned' : 'paid'
  const made = await tx
    .insertInto('payment_cases')
    .values({
      ...key,
      ...{ case_id: newId(), provider_id: order.provider_id, payment, kind, why, word: reported.word },
      claims: about === undefined ? null : claimed,
      paid: reported.amount,
      paid_currency: reported.currency,
      opened_at: actor.context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'order_id', 'payment', 'kind']).doNothing())
    .returning('case_id')
    .executeTakeFirst()
  if (made) {
    const { app_uid } = await readProvider(tx, actor, order.provider_id)
    actor.context.metrics.manualReview(app_uid, why)
    await audit(tx, actor, {
      action: 'payment-case.opened',
      subject: { kind: 'payment_case', id: made.case_id },
      memberId: order.member_id,
      after: { order: order.order_id, why, kind, paid: reported.amount, currency: reported.currency },
    })
    return 'waiting'
  }
  const known = await tx
    .selectFrom('payment_cases')
    .select('state')
    .where('workspace_id', '=', key.workspace_id)
    .where('order_id', '=', key.order_id)
    .where('payment', '=', payment)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return known.state === 'closed' ? 'decided' : 'waiting'
}

/** Records that a payment was credited. False if it already was, for any order. */
export async function claimPayment(
  tx: Tx,
  actor: Mover,
  { provider_id, payment, transaction_id }: { provider_id: string; payment: string; transaction_id: string },
): Promise<boolean> {
  const claimed = await tx
    .insertInto('payment_credits')
    .values({
      workspace_id: actor.workspaceId,
      ...{ provider_id, payment, transaction_id },
      credited_at: actor.context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider_id', 'payment']).doNothing())
    .returning('payment')
    .executeTakeFirst()
  return claimed !== undefined
}

export async function isClaimed(tx: Tx, actor: Actor, order: Order, payment: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_credits')
    .select('transaction_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', order.provider_id)
    .where('payment', '=', payment)
    .executeTakeFirst()
  return row !== undefined
}
