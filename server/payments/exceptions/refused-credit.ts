import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import { type Expression, type NotNull, type Selectable, sql } from 'kysely'
import type { Actor, System } from '../../foundation/actor.ts'
import type { PaymentCredits } from '../../foundation/database/database.generated.ts'
import { inTransaction, reading, type Tx } from '../../foundation/database/database.ts'
import { assertState } from '../../foundation/errors.ts'
import { lockTransaction, type TransactionRow } from '../../funding/transaction.ts'
import type { Order } from '../order.ts'
import type { Payout } from '../payouts/payout-order.ts'
import { claimOf, claimPayment, openException, type PaymentException, readCreditedException } from './exception.ts'

const refused = 'credit_refused'

/** An exception about a paid deposit that the platform did not credit, rather than about another payment. */
export const isRefusedCredit = ({ why }: Pick<PaymentException, 'why'>): boolean => why === refused

/**
 * The platform refused to credit a payment: its provider has the money, so the deposit ends only with another approval
 * or with a recorded refund. Deposits without a payment are left to the desk.
 */
export async function reviewRefusedCredit(tx: Tx, system: System, deposit: TransactionRow): Promise<void> {
  const { transaction_id: transactionId, approval_round: round } = deposit
  const claim = (await findClaim(tx, system, transactionId)) ?? (await claimReturn(tx, system, transactionId))
  if (!claim) return
  const { subject, paid, paid_currency } = await findPaid(tx, system, transactionId)
  const reported = { attempt: subject.attempt, reference: claim.payment, amount: paid, currency: paid_currency }
  await openException(tx, system, subject, {
    reported: { ...reported, state: 'paid', reason: null, word: 'paid' },
    why: refused,
    about: await nameRefusal(tx, system, claim, round),
  })
}

/**
 * Claims the returned payout that a deposit credits back, so that its refusal is handled like any other. Not before: the
 * previous version expects an order behind each claim of a refused deposit.
 */
async function claimReturn(tx: Tx, system: System, transaction_id: string): Promise<Claim | undefined> {
  const credited = await selectReturn(tx, system)
    .where('returned.transaction_id', '=', transaction_id)
    .executeTakeFirst()
  if (credited) await claimPayment(tx, system, { ...credited, transaction_id })
  return credited
}

const selectReturn = (tx: Pick<Tx, 'selectFrom'>, { workspaceId }: Actor) =>
  tx
    .selectFrom('payment_cases as returned')
    .select(['returned.provider_id', 'returned.payment'])
    .where('returned.workspace_id', '=', workspaceId)
    .where('returned.payout_id', 'is not', null)
    .where('returned.why', '<>', refused)
    .$narrowType<{ provider_id: NotNull }>()

/** An exception that was closed without ending the deposit is followed by another of the same round. */
async function nameRefusal(tx: Tx, system: System, { provider_id, payment }: Claim, round: number): Promise<string> {
  const about = `${refused} ${round}`
  const closed = await tx
    .selectFrom('payment_cases')
    .select('case_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('provider_id', '=', provider_id)
    .where('claims', '=', payment)
    .where('why', '=', refused)
    .where('state', '=', 'closed')
    .where(isNamed(sql.ref('payment'), `${payment} ${about}`))
    .execute()
  return closed.length === 0 ? about : `${about} ${closed.length + 1}`
}

/** Whether an exception has this name, or is a later one of the same round. */
const isNamed = (payment: Expression<unknown>, name: string | Expression<unknown>) =>
  sql<boolean>`starts_with(${payment} || ' ', ${name} || ' ')`

const missingMax = 100

/**
 * Opens the exceptions that are missing: of deposits refused before exceptions were opened for them, or by a process of
 * the previous version.
 */
export async function openMissingRefusals(system: System): Promise<void> {
  const missing = await reading(system, (tx) => selectMissing(tx, system).limit(missingMax).execute())
  for (const { transaction_id: id } of missing)
    await inTransaction(system, async (tx) => {
      const deposit = await lockTransaction(tx, system, id)
      const still = await selectMissing(tx, system).where('deposit.transaction_id', '=', id).executeTakeFirst()
      if (still) await reviewRefusedCredit(tx, system, deposit)
    })
}

/** Paid deposits that are pending again, without a waiting exception and without a refund recorded in this round. */
function selectMissing(tx: Tx, system: System) {
  const name = sql`concat(asked.claims, ' ', asked.why, ' ', deposit.approval_round)`
  return tx
    .selectFrom('balance_transactions as deposit')
    .leftJoin('payment_credits as credited', (join) =>
      join
        .onRef('credited.workspace_id', '=', 'deposit.workspace_id')
        .onRef('credited.transaction_id', '=', 'deposit.transaction_id'),
    )
    .select('deposit.transaction_id')
    .where(({ or, eb, exists }) =>
      or([
        eb('credited.transaction_id', 'is not', null),
        exists(
          selectReturn(tx, system).where('returned.transaction_id', '=', sql.ref<string>('deposit.transaction_id')),
        ),
      ]),
    )
    .where('deposit.workspace_id', '=', system.workspaceId)
    .where('deposit.type', '=', 'deposit')
    .where('deposit.state', '=', 'pending')
    .where('deposit.approval_round', '>', 1)
    .where('deposit.payment_method', 'like', `${providerPrefix}%`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payment_cases as asked')
            .select('asked.case_id')
            .whereRef('asked.workspace_id', '=', 'credited.workspace_id')
            .whereRef('asked.provider_id', '=', 'credited.provider_id')
            .whereRef('asked.claims', '=', 'credited.payment')
            .where('asked.why', '=', refused)
            .where(({ or, eb }) =>
              or([
                eb('asked.state', '<>', 'closed'),
                eb('asked.decision', '=', 'given_back').and(isNamed(sql.ref('asked.payment'), name)),
              ]),
            ),
        ),
      ),
    )
}

type Paid = { subject: Order | Payout; paid: string | null; paid_currency: string | null }

/** The order or payout and the amount that a deposit credits: by the exception that credited it, or else as agreed. */
async function findPaid(tx: Tx, actor: Actor, transactionId: string): Promise<Paid> {
  const decided = await readCreditedException(tx, actor, transactionId)
  if (decided?.payout_id) {
    const { paid, paid_currency } = decided
    return { subject: await readPayout(tx, actor, decided.payout_id), paid, paid_currency }
  }
  const order = await tx
    .selectFrom('deposit_orders')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where(decided ? 'order_id' : 'transaction_id', '=', decided?.order_id ?? transactionId)
    .executeTakeFirst()
  assertState(order, 'a claimed payment has its order')
  const { charge, currency, coin } = order
  const agreed = coin === null ? { paid: charge, paid_currency: currency } : { paid: null, paid_currency: null }
  const { paid, paid_currency } = decided ?? agreed
  return { subject: order, paid, paid_currency }
}

function readPayout(tx: Tx, { workspaceId }: Actor, payoutId: string): Promise<Payout> {
  return tx
    .selectFrom('payout_orders')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('payout_id', '=', payoutId)
    .executeTakeFirstOrThrow()
}

type Claim = Pick<Selectable<PaymentCredits>, 'provider_id' | 'payment'>

/** The payment that a deposit credits. */
async function findClaim(tx: Tx, actor: Actor, transactionId: string): Promise<Claim | undefined> {
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

/** The waiting exceptions of a deposit's refused credits, locked: a process of the previous version leaves some. */
export async function lockRefusedCredits(tx: Tx, actor: Actor, transactionId: string): Promise<PaymentException[]> {
  const claim = await findClaim(tx, actor, transactionId)
  if (!claim) return []
  return tx
    .selectFrom('payment_cases')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', claim.provider_id)
    .where('claims', '=', claim.payment)
    .where('why', '=', refused)
    .where('state', '<>', 'closed')
    .orderBy('case_id')
    .forUpdate()
    .execute()
}
