import { type OrderState, orderMoves } from '@atrium/contract/payments/orders.ts'
import type { Selectable } from 'kysely'
import { type Actor, actorOf } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { DepositOrders } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'
import { type Mover, requirePermit } from '../money-decisions/policy.ts'

export type Order = Selectable<DepositOrders>

/** The life of a payment page. Afterwards the provider is queried once more, and the order expires. */
export const orderLifeMs = 60 * 60_000
/** A start call that has not answered by then never will. */
export const startLeaseMs = 60_000

export const openStates: readonly OrderState[] = ['created', 'checking', 'handed_over']
export const isOpen = ({ state }: Pick<Order, 'state'>): boolean => openStates.includes(state as OrderState)

export async function lockOrder(tx: Tx, actor: Actor, orderId: string): Promise<Order | null> {
  const row = await tx
    .selectFrom('deposit_orders')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('order_id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

type Change = Partial<
  Pick<
    Order,
    | 'reference'
    | 'problem'
    | 'staff_reason'
    | 'next_look_at'
    | 'looks'
    | 'ended_at'
    | 'transaction_id'
    | 'expires_at'
    | 'seen_at'
    | 'pending_since'
    | 'card_type'
  > & { hand_off: string }
>

export const canMove = (from: string, to: OrderState): boolean => orderMoves[from as OrderState].includes(to)

/** The only function that sets an order's state: along the transition table, with its audit entry. */
export async function moveOrder(tx: Tx, actor: Mover, order: Order, to: OrderState, set: Change = {}): Promise<void> {
  requirePermit(actor, order.member_id)
  assertState(canMove(order.state, to), `an order moves from ${order.state} to ${to}`)
  const now = actor.context.clock.now()
  const ends = openStates.includes(to) ? {} : { ended_at: now }
  const noting = audit(tx, actorOf(actor), {
    action: `order.${to.replaceAll('_', '-')}`,
    subject: { kind: 'deposit_order', id: order.order_id },
    memberId: order.member_id,
    before: { state: order.state },
    after: {
      state: to,
      ...(set.staff_reason && { why: set.staff_reason }),
      ...(set.reference && { reference: set.reference }),
    },
  })
  await Promise.all([changeOrder(tx, actor, order, { ...ends, ...set, state: to }), noting])
  if (order.state === 'for_staff') await closePendingReview(tx, actor, order, to)
}

/** Staff need not ask where the money is any more: the exception closes with its order, unless they have decided it. */
async function closePendingReview(tx: Tx, actor: Mover, { order_id, member_id }: Order, to: OrderState): Promise<void> {
  const asked = await tx
    .selectFrom('payment_cases')
    .select(['case_id', 'state'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('order_id', '=', order_id)
    .where('why', '=', 'pending_too_long')
    .where('state', '<>', 'closed')
    .forUpdate()
    .executeTakeFirst()
  if (!asked) return
  const set = { state: 'closed', decision: 'explained', note: `The order is ${to}.`, outside_reference: null }
  const decided_by = actor.kind === 'staff' ? actor.staffId : null
  await tx
    .updateTable('payment_cases')
    .set({ ...set, proposed_by: null, decided_by, decided_at: actor.context.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where('case_id', '=', asked.case_id)
    .execute()
  await audit(tx, actorOf(actor), {
    action: 'payment-case.decided',
    subject: { kind: 'payment_case', id: asked.case_id },
    memberId: member_id,
    before: { state: asked.state },
    after: set,
  })
}

export async function changeOrder(
  tx: Tx,
  actor: Actor,
  order: Pick<Order, 'order_id'>,
  set: Change & { state?: OrderState },
): Promise<void> {
  const changed = await tx
    .updateTable('deposit_orders')
    .set(set)
    .where('workspace_id', '=', actor.workspaceId)
    .where('order_id', '=', order.order_id)
    .executeTakeFirst()
  assertState(changed.numUpdatedRows === 1n, 'a locked order did not change')
}

export type StaffReason =
  | 'amount_differs'
  | 'currency_differs'
  | 'coin_differs'
  | 'more_than_asked'
  | 'another_reference'
  | 'reference_taken'
  | 'after_cancel'
  | 'after_expiry'
  | 'after_rejection'
  | 'member_erased'
  | 'account_closed'
  | 'account_in_demo_group'
  | 'identity_missing'
  | 'second_payment'
  | 'returned'
  | 'above_limit'
  | 'unclear_word'
  | 'pending_too_long'
  | 'unverified'
