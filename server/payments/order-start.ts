import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { actorOf, type Member, type System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { isErased } from '../foundation/database/member-lock.ts'
import { refuse } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { recordEvent } from '../funding/transaction.ts'
import { describeProblem } from '../observability/log.ts'
import {
  type OrderToStart,
  PaymentProblem,
  type PaymentProvider,
  type Redirect,
  type Started,
} from '../payment-providers/contract.ts'
import { changeOrder, isOpen, moveOrder, type Order } from './order.ts'
import { nextQuery } from './query-schedule.ts'
import { endOrder, holdSeen } from './settle.ts'

/**
 * Calls the provider outside of every transaction: the order is committed before, its outcome after. An unknown outcome
 * is queried later; a start is never repeated automatically.
 */
export async function startOrder(
  system: System,
  order: Order,
  provider: PaymentProvider,
  wanted: OrderToStart,
): Promise<Redirect> {
  await reach('order.committed')
  try {
    const started = await provider.start(wanted)
    await reach('order.started')
    return await recordStarted(system, order, started)
  } catch (problem) {
    const failure = problem instanceof PaymentProblem ? problem : new PaymentProblem('unknown', 'fault')
    if (failure !== problem) system.context.log.error({ err: describeProblem(problem) }, 'payment start fault')
    else system.context.log.warn({ order: order.order_id, failure: failure.failure }, 'payment start failed')
    return recordFailure(system, order, failure)
  }
}

/** Bounds for the provider's own time limit of a coin payment. */
const lifeSeconds = { min: 10 * 60, max: 7 * 24 * 60 * 60 }

function expiryOf({ context }: System, given: number): Date {
  const seconds = Math.min(Math.max(given, lifeSeconds.min), lifeSeconds.max)
  return new Date(context.clock.now().getTime() + seconds * 1000)
}

async function recordStarted(
  system: System,
  order: Order,
  { redirect, reference, lifeSeconds: life }: Started,
): Promise<Redirect> {
  await inTransaction(system, async (tx) => {
    const held = await holdSeen(tx, system, order)
    if (!held || held.order.hand_off !== null) return
    const set = {
      hand_off: JSON.stringify(redirect),
      ...(held.order.reference === null && reference !== null && { reference }),
      ...(life !== undefined && { expires_at: expiryOf(system, life) }),
    }
    // A webhook event may have arrived before the answer: its effect remains.
    if (held.order.state !== 'created' && held.order.state !== 'checking') {
      if (await isErased(tx, system, held.order.member_id)) return
      await changeOrder(tx, system, held.order, set)
      return
    }
    await Promise.all([
      recordEvent(tx, actorOf(system), held.deposit, 'deposit.handed-over'),
      moveOrder(tx, system, held.order, 'handed_over', { ...set, ...nextQuery(system, held.order) }),
    ])
  })
  await reach('order.handed-over')
  return redirect
}

async function recordFailure(system: System, order: Order, failure: PaymentProblem): Promise<never> {
  await inTransaction(system, async (tx) => {
    const held = await holdSeen(tx, system, order)
    if (held?.order.state !== 'created') return
    if (failure.failure === 'unknown') {
      await moveOrder(tx, system, held.order, 'checking', nextQuery(system, held.order))
    } else {
      // No webhook event, because the answer reports it.
      await endOrder(tx, system, held, 'declined', failure.failure === 'declined' ? null : paymentTexts.unavailable)
    }
  })
  refuseStart(failure.failure)
}

function refuseStart(failure: PaymentProblem['failure']): never {
  if (failure === 'declined') refuse('payment_declined', paymentTexts.declinedAtStart)
  refuse('unavailable', failure === 'unknown' ? paymentTexts.outcomeUnknown : paymentTexts.unavailable)
}

/** Polling interval and time limit for a repeated form that waits for the first answer. */
const waitStepMs = 150
const waitMs = 15_000

/** A repeated form returns the answer of the first call, running or finished, without a second call. */
export async function redirectOf(member: Member, orderId: string): Promise<Redirect> {
  const until = performance.now() + waitMs
  for (;;) {
    const order = await reading(member, (tx) => readOwn(tx, member, orderId))
    if (order.hand_off !== null) return order.hand_off as Redirect
    if (!isOpen(order)) refuseStart('declined')
    if (order.state === 'checking' || performance.now() > until) refuseStart('unknown')
    await new Promise((resolve) => setTimeout(resolve, waitStepMs))
  }
}

function readOwn(tx: Tx, member: Member, orderId: string) {
  return tx
    .selectFrom('deposit_orders')
    .select(['state', 'hand_off'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
}
