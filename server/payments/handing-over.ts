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
import { checkPageAddress } from '../payment-providers/page-address.ts'
import { nextLook } from './look.ts'
import { changeOrder, isOpen, moveOrder, type Order } from './order.ts'
import { endOrder, holdSeen } from './settle.ts'

/**
 * The call to the provider, outside of every transaction: the order is committed before, its outcome after. An outcome
 * that is not known is asked about later; nothing is ever started again by itself.
 */
export async function handOver(
  system: System,
  order: Order,
  provider: PaymentProvider,
  wanted: OrderToStart,
): Promise<Redirect> {
  await reach('order.committed')
  try {
    const started = await provider.start(wanted)
    await reach('order.started')
    return await recordHandedOver(system, order, checked(system, provider, started))
  } catch (problem) {
    const failure = problem instanceof PaymentProblem ? problem : new PaymentProblem('unknown', 'fault')
    if (failure !== problem) system.context.log.error({ err: describeProblem(problem) }, 'payment start fault')
    else system.context.log.warn({ order: order.order_id, failure: failure.failure }, 'payment start failed')
    return recordFailure(system, order, failure)
  }
}

function checked({ context }: System, { pageOrigins }: PaymentProvider, started: Started): Started {
  const { redirect } = started
  const page = redirect.kind === 'redirect' ? redirect.url : redirect.kind === 'form' ? redirect.action : redirect.page
  if (page !== null) checkPageAddress(page, pageOrigins, context.config.production)
  return started
}

/** However long a provider waits for coins, the portal does so within these. */
const lifeSeconds = { min: 10 * 60, max: 7 * 24 * 60 * 60 }

function expiryOf({ context }: System, given: number): Date {
  const seconds = Math.min(Math.max(given, lifeSeconds.min), lifeSeconds.max)
  return new Date(context.clock.now().getTime() + seconds * 1000)
}

async function recordHandedOver(
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
    // A notification may have come before the answer did: what it brought about stays.
    if (held.order.state !== 'created' && held.order.state !== 'checking') {
      if (await isErased(tx, system, held.order.member_id)) return
      await changeOrder(tx, system, held.order, set)
      return
    }
    await Promise.all([
      recordEvent(tx, actorOf(system), held.deposit, 'deposit.handed-over'),
      moveOrder(tx, system, held.order, 'handed_over', { ...set, ...nextLook(system, held.order) }),
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
      await moveOrder(tx, system, held.order, 'checking', { problem: failure.detail, ...nextLook(system, held.order) })
    } else {
      // Not told besides: the answer that follows says it.
      await endOrder(tx, system, held, 'declined', failure.failure === 'declined' ? null : paymentTexts.unavailable)
    }
  })
  refuseStart(failure.failure)
}

function refuseStart(failure: PaymentProblem['failure']): never {
  if (failure === 'declined') refuse('payment_declined', paymentTexts.declinedAtStart)
  refuse('unavailable', failure === 'unknown' ? paymentTexts.beingChecked : paymentTexts.unavailable)
}

/** How often and how long somebody who sent the same form again waits for the first answer. */
const waitStepMs = 150
const waitMs = 15_000

/** The same form again, while the first call is under way or over: its answer, and no call of its own. */
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
