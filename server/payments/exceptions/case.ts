import type { Selectable } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { PaymentCases } from '../../foundation/database/database.generated.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import type { Mover } from '../../money-decisions/policy.ts'
import type { Reported } from '../../payment-providers/reported.ts'
import { readProvider } from '../connections/provider.ts'
import type { Order } from '../order.ts'

export type PaymentCase = Selectable<PaymentCases>

/** What tells one payment of an order from another: the provider's number, or ours where it gives none. */
export const paymentOf = (order: Pick<Order, 'attempt'>, reference: string | null): string => reference ?? order.attempt

/** The payment that crediting a case claims, whatever the case itself is named by. */
export const claimOf = ({ payment, claims }: Pick<PaymentCase, 'payment' | 'claims'>): string => claims ?? payment

type Opening = {
  reported: Reported
  why: string
  /** What tells this case from others about the same payment: a word that is not known. */
  about?: string
}

/**
 * What a person has to decide, once for each payment however often it is told. Answers whether somebody still has to: what
 * was decided stays decided.
 */
export async function openCase(
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

/** Writes down that a payment was credited. False when it was before, by whichever order and by whomever. */
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
