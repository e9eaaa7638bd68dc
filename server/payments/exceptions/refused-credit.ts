import type { Actor, System } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { assertState } from '../../foundation/errors.ts'
import { lockTransaction, type TransactionRow } from '../../funding/transaction.ts'
import type { Order } from '../order.ts'
import { claimOf, openException, type PaymentException, readCreditedException } from './exception.ts'

const refused = 'credit_refused'

/** An exception about a paid deposit that the platform did not credit, rather than about another payment. */
export const isRefusedCredit = ({ why }: Pick<PaymentException, 'why'>): boolean => why === refused

/**
 * The platform refused to credit a payment: its provider has the money, so the deposit ends only with another approval
 * or with a recorded refund. Deposits without a payment are left to the desk.
 */
export async function reviewRefusedCredit(tx: Tx, system: System, deposit: TransactionRow): Promise<void> {
  const { transaction_id: transactionId, approval_round: round } = deposit
  const claim = await findClaim(tx, system, transactionId)
  if (!claim) return
  const { order, paid, paid_currency } = await findPaid(tx, system, transactionId)
  const reported = { attempt: order.attempt, reference: claim.payment, amount: paid, currency: paid_currency }
  await openException(tx, system, order, {
    reported: { ...reported, state: 'paid', reason: null, word: 'paid' },
    why: refused,
    about: `${refused} ${round}`,
  })
}

type Paid = { order: Order; paid: string | null; paid_currency: string | null }

/** The order and the amount that a deposit credits: by the exception that credited it, or else as agreed. */
async function findPaid(tx: Tx, actor: Actor, transactionId: string): Promise<Paid> {
  const decided = await readCreditedException(tx, actor, transactionId)
  const order = await tx
    .selectFrom('deposit_orders')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where(decided ? 'order_id' : 'transaction_id', '=', decided?.order_id ?? transactionId)
    .executeTakeFirst()
  assertState(order, 'a claimed payment has its order')
  const { charge, currency, coin } = order
  const agreed = coin === null ? { paid: charge, paid_currency: currency } : { paid: null, paid_currency: null }
  return { order, ...agreed, ...decided }
}

/** The payment that a deposit credits. */
async function findClaim(tx: Tx, actor: Actor, transactionId: string) {
  return tx
    .selectFrom('payment_credits')
    .select(['provider_id', 'payment'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
}

/** Locks the deposit of a refused credit, which may not be its order's: before the order, as all code does. */
export async function lockRefusedDeposit(
  tx: Tx,
  actor: Actor,
  asked: PaymentException,
): Promise<TransactionRow | null> {
  if (!isRefusedCredit(asked)) return null
  const { transaction_id } = await tx
    .selectFrom('payment_credits')
    .select('transaction_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', asked.provider_id)
    .where('payment', '=', claimOf(asked))
    .executeTakeFirstOrThrow()
  return lockTransaction(tx, actor, transaction_id)
}

/** The waiting exception of a deposit's refused credit, locked. */
export async function lockRefusedCredit(tx: Tx, actor: Actor, transactionId: string): Promise<PaymentException | null> {
  const claim = await findClaim(tx, actor, transactionId)
  if (!claim) return null
  const asked = await tx
    .selectFrom('payment_cases')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', claim.provider_id)
    .where('claims', '=', claim.payment)
    .where('why', '=', refused)
    .where('state', '<>', 'closed')
    .forUpdate()
    .executeTakeFirst()
  return asked ?? null
}
