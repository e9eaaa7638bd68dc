import { isSame, toScale } from '@atrium/contract/money.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import type { PaymentProvider, Reported } from './contract.ts'
import { isOpen, type Order } from './order.ts'

/**
 * What a provider says of an order when it is asked. Where the member's consent is one step and taking the money another,
 * the second one is made here: for an order that nobody gave up, and for exactly what was agreed.
 */
export async function hearAbout(system: System, provider: PaymentProvider, order: Order): Promise<Reported | null> {
  const { attempt, reference } = order
  const question = { attempt, reference, at: system.ground.clock.now() }
  const reported = await provider.readStatus(question)
  if (reported?.state !== 'payable' || !provider.complete || !(await isWanted(system, order))) return reported
  const isAgreed = reported.currency === order.currency && isSame(reported.amount ?? '0', order.charge)
  // Nothing was taken, and nothing else than what was agreed ever is.
  if (!isAgreed) return { ...reported, state: 'hint' }
  return provider.complete({ ...question, amount: toScale(order.charge, order.currency), currency: order.currency })
}

/** An order whose movement was cancelled or turned down meanwhile takes no money. */
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
