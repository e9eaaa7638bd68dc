import { isSame, toScale } from '@atrium/contract/money/money.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { PaymentProblem, type PaymentProvider } from '../payment-providers/contract.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'
import { isOpen, type Order } from './order.ts'

/**
 * Queries the provider about an order, one query at a time for all callers. `hint` is the reference that an unverified
 * callback named, to be queried first.
 */
export const queryOrder = (
  system: System,
  provider: PaymentProvider,
  order: Order,
  hint: string | null = null,
): Promise<StatusReport | null> =>
  system.context.providers.ask(system, order.order_id, () => queryProvider(system, provider, order, hint))

/**
 * For providers that separate consent from capture, this makes the capture call: only for an order that is still
 * wanted, and only for the agreed amount.
 */
async function queryProvider(
  system: System,
  provider: PaymentProvider,
  order: Order,
  hint: string | null,
): Promise<StatusReport | null> {
  const { attempt, reference } = order
  const question = { attempt, reference, hint, at: system.context.clock.now() }
  if (!provider.readStatus) return null
  const reported = aboutOrder(order, await provider.readStatus(question))
  if (reported?.state !== 'payable' || !provider.complete || !(await isWanted(system, order))) return reported
  const isAgreed = reported.currency === order.currency && isSame(reported.amount ?? '0', order.charge)
  // Nothing was captured, because the amount differs from the agreed one.
  if (!isAgreed) return { ...reported, state: 'hint' }
  const taking = { ...question, amount: toScale(order.charge, order.currency), currency: order.currency }
  try {
    return aboutOrder(order, await provider.complete(taking))
  } catch (problem) {
    if (!(problem instanceof PaymentProblem) || problem.failure !== 'declined') throw problem
    return afterRefusal(order, reported, aboutOrder(order, await provider.readStatus(question)))
  }
}

/**
 * A refused capture ends the order, or it would be tried until the order expires. The money may have moved without it,
 * so what the provider reports afterwards counts first.
 */
function afterRefusal(order: Order, before: StatusReport, now: StatusReport | null): StatusReport | null {
  if (now !== null && now.state !== 'payable') return now
  return { ...before, attempt: order.attempt, state: 'declined', reason: null, word: 'capture refused' }
}

/**
 * Money that may not belong to this order goes to manual review; any other answer about a different order is ignored.
 */
export function aboutOrder({ attempt }: Pick<Order, 'attempt'>, reported: StatusReport | null): StatusReport | null {
  if (reported === null || (reported.attempt === attempt && reported.kind !== 'payout')) return reported
  const isMoney = reported.state === 'paid' || reported.state === 'returned'
  return isMoney ? { ...reported, manualReview: 'unverified' } : null
}

/** An order whose transaction was cancelled or rejected meanwhile is not captured. */
async function isWanted(system: System, order: Order): Promise<boolean> {
  if (!isOpen(order)) return false
  const { state } = await reading(system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select('state')
      .where('workspace_id', '=', system.workspaceId)
      .where('transaction_id', '=', order.transaction_id)
      .executeTakeFirstOrThrow(),
  )
  return state !== 'cancelled' && state !== 'rejected'
}
