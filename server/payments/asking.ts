import { isSame, toScale } from '@atrium/contract/money/money.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import type { PaymentProvider } from '../payment-providers/contract.ts'
import type { Reported } from '../payment-providers/reported.ts'
import { isOpen, type Order } from './order.ts'

/**
 * What a provider says of an order when it is asked: one question at a time, whoever asks. `hint` is where an unverified
 * callback says to look first.
 */
export const hearAbout = (
  system: System,
  provider: PaymentProvider,
  order: Order,
  hint: string | null = null,
): Promise<Reported | null> =>
  system.context.providers.ask(system, order.order_id, () => hear(system, provider, order, hint))

/**
 * Where the member's consent is one step and taking the money another, the second one is made here: for an order that nobody
 * gave up, and for exactly what was agreed.
 */
async function hear(
  system: System,
  provider: PaymentProvider,
  order: Order,
  hint: string | null,
): Promise<Reported | null> {
  const { attempt, reference } = order
  const question = { attempt, reference, hint, at: system.context.clock.now() }
  if (!provider.readStatus) return null
  const reported = aboutOrder(order, await provider.readStatus(question))
  if (reported?.state !== 'payable' || !provider.complete || !(await isWanted(system, order))) return reported
  const isAgreed = reported.currency === order.currency && isSame(reported.amount ?? '0', order.charge)
  // Nothing was taken, and nothing else than what was agreed ever is.
  if (!isAgreed) return { ...reported, state: 'hint' }
  const taking = { ...question, amount: toScale(order.charge, order.currency), currency: order.currency }
  return aboutOrder(order, await provider.complete(taking))
}

/** Money of which it is not said that it is about this order is for a person; anything else that is not says nothing at all. */
export function aboutOrder({ attempt }: Pick<Order, 'attempt'>, reported: Reported | null): Reported | null {
  if (reported === null || (reported.attempt === attempt && reported.kind !== 'payout')) return reported
  const isMoney = reported.state === 'paid' || reported.state === 'returned'
  return isMoney ? { ...reported, forStaff: 'unverified' } : null
}

/** An order whose transaction was cancelled or turned down meanwhile takes no money. */
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
