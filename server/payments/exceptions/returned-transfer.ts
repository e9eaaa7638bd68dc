import { amountTexts } from '@atrium/contract/deposits/calls.ts'
import { formatAmount, isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { type DeskWithdrawal, withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { sql } from 'kysely'
import { type Actor, authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { lockTransaction, recordEvent, reportAfterEnd, type TransactionRow } from '../../funding/transaction.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { type Decider, decide, definePolicy } from '../../money-decisions/policy.ts'
import type { Payout } from '../payouts/payout-order.ts'
import { openException, readCreditedException } from './exception.ts'
import { isMarked, isPaidByStaff, returned, returnedAgain, returnedTransfer, settledOf } from './returned-payout.ts'

export const reportingReturn = definePolicy({
  name: 'withdrawal.report-returned',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Opens a payment exception, whose decision takes as many people as the withdrawal, or two.',
})

type Report = { amount: unknown; reference: string; reason: string }

/**
 * Opens a payment exception for a transfer by hand that the bank returned, of which no provider reports, or for another
 * return of a payout that the provider's reports do not tell from the first one. The withdrawal stays paid, and its row
 * is locked, so two reports see each other.
 */
export async function reportReturnedTransfer(staff: Staff, transactionId: string, report: Report): Promise<void> {
  authorizeStaff(staff, reportingReturn.right)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockTransaction(tx, staff, transactionId)
    if (withdrawal.type !== 'withdrawal') refuseNotFound()
    if (await isRepeated(tx, staff, withdrawal.member_id)) return
    await decide(tx, staff, reportingReturn, { memberId: withdrawal.member_id })
    const payment = await findReturnable(tx, staff, withdrawal)
    if (!payment) return refuse('illegal_move', withdrawalDeskTexts.notPaidByHand)
    const { currency, transaction_id, member_id } = withdrawal
    const { reference, reason } = report
    const { amount, ended } = await readReturned(tx, staff, withdrawal, report)
    const about = `returned ${amount} ${currency}${payment.payout ? ` of ${payment.payout.attempt}` : ''}`
    await open(tx, staff, withdrawal, {
      ...{ payout: payment.payout, amount, reference },
      about: ended === 0 ? about : `${about} ${ended + 1}`,
    })
    const money = `${amount} ${currency}`
    const what = payment.payout ? `Another return of ${money}` : `The bank returned ${money} of the transfer`
    const note = `${what}: ${reference}. ${reason}`
    await recordEvent(tx, staff, withdrawal, reportAfterEnd, note)
    await audit(tx, staff, {
      action: 'withdrawal.return-reported',
      subject: { kind: 'balance_transaction', id: transaction_id },
      memberId: member_id,
      after: { amount, currency, reference, reason },
    })
  })
}

/**
 * The amount in the withdrawal's currency, at most what is neither reported nor settled, under a new reference, or one of
 * which every earlier report ended without money: it was explained, because it was a slip or the return came later after
 * all, or its credit was rejected.
 */
async function readReturned(
  tx: Tx,
  staff: Staff,
  withdrawal: TransactionRow,
  { amount, reference }: Report,
): Promise<{ amount: string; ended: number }> {
  const { currency, transaction_id } = withdrawal
  const read = readAmount(amount, currency)
  if ('problem' in read) refuseFields({ amount: [amountTexts[read.problem]] })
  const known = await tx
    .selectFrom('payment_cases as reported')
    .leftJoin('balance_transactions as credited', (join) =>
      join
        .onRef('credited.workspace_id', '=', 'reported.workspace_id')
        .onRef('credited.transaction_id', '=', 'reported.transaction_id'),
    )
    .select(['reported.state', 'reported.decision', 'reported.withdrawal_id', 'credited.state as credit'])
    .where('reported.workspace_id', '=', staff.workspaceId)
    .where(({ or, eb }) =>
      or([
        eb('reported.withdrawal_id', '=', transaction_id).and('reported.claims', '=', reference),
        eb('reported.payout_id', 'in', payoutsOf(tx, staff, transaction_id)).and(
          or([
            eb('reported.why', '=', returnedAgain).and('reported.claims', '=', reference),
            eb('reported.why', '=', returned).and(isMarked('reported.payment', reference)),
          ]),
        ),
      ]),
    )
    .execute()
  if (!known.every(hasEnded)) refuseFields({ reference: [withdrawalDeskTexts.returnKnown] })
  const left = await readLeft(tx, staff, transaction_id)
  if (isMore(read.amount, left)) {
    const said = `${formatAmount(isMore(left, '0') ? left : '0', currency)} ${currency}`
    refuseFields({ amount: [withdrawalDeskTexts.returnTooLarge.replace('{{left}}', said)] })
  }
  return { amount: read.amount, ended: known.length }
}

type Known = { state: string; decision: string | null; withdrawal_id: string | null; credit: string | null }

/**
 * Nothing was credited or paid for it. The rejection of a transfer's credit opens the question anew, whose own decision
 * counts then; that of a payout's credit means that its refund was recorded.
 */
const hasEnded = ({ state, decision, withdrawal_id, credit }: Known): boolean =>
  state === 'closed' &&
  (decision === 'explained' || (withdrawal_id !== null && (credit === 'rejected' || credit === 'cancelled')))

const payoutsOf = (tx: Tx, { workspaceId }: Actor, transactionId: string) =>
  tx
    .selectFrom('payout_orders')
    .select('payout_id')
    .where('workspace_id', '=', workspaceId)
    .where('transaction_id', '=', transactionId)

type Said = { payout: Payout | null; amount: string; reference: string; about: string }

/** The reference tells several returns of one payment apart; without a report of a provider it is all that does. */
function open(tx: Tx, staff: Staff, withdrawal: TransactionRow, { payout, amount, reference, about }: Said) {
  const { member_id, transaction_id: withdrawal_id, currency } = withdrawal
  const named = { member_id, attempt: reference }
  const subject = payout
    ? { ...named, provider_id: payout.provider_id, payout_id: payout.payout_id }
    : { ...named, provider_id: null, withdrawal_id }
  const reported = { attempt: reference, reference: null, amount, currency, reason: null, word: 'returned' }
  return openException(tx, staff, subject, {
    reported: { ...reported, state: 'paid' },
    why: payout ? returnedAgain : returnedTransfer,
    about,
  })
}

type Withdrawal = Pick<TransactionRow, 'transaction_id' | 'state' | 'currency'>

type Returnable = { payout: Payout | null }

/**
 * What staff report the return of: their own transfer, or a payout of which the provider proved a return before. A
 * return in coins is not credited, since their price is the provider's conversion.
 */
async function findReturnable(tx: Tx, staff: Staff, withdrawal: Withdrawal): Promise<Returnable | null> {
  if (withdrawal.state !== 'approved') return null
  // A payout that a provider paid is reported by the provider.
  if (await isPaidByStaff(tx, staff, withdrawal)) return { payout: null }
  const payout = await tx
    .selectFrom('payout_orders as payout')
    .selectAll('payout')
    .where('payout.workspace_id', '=', staff.workspaceId)
    .where('payout.transaction_id', '=', withdrawal.transaction_id)
    .where('payout.state', '=', 'paid')
    .where('payout.coin', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payment_cases as reported')
          .select('reported.case_id')
          .whereRef('reported.workspace_id', '=', 'payout.workspace_id')
          .whereRef('reported.payout_id', '=', 'payout.payout_id')
          .whereRef('reported.paid_currency', '=', 'payout.currency')
          .where('reported.why', '=', returned)
          .where('reported.paid', 'is not', null),
      ),
    )
    .executeTakeFirst()
  return payout ? { payout } : null
}

/** What was paid, less the returns that were settled or wait for a decision. */
async function readLeft(tx: Tx, staff: Staff, transactionId: string): Promise<string> {
  const row = await tx
    .selectFrom('balance_transactions as withdrawal')
    .select(sql<string>`(withdrawal.amount - withdrawal.fee)::text`.as('paid'))
    .select(settledOf('withdrawal').as('settled'))
    .select(({ selectFrom }) =>
      selectFrom('payment_cases as waiting')
        .select(sql<string>`coalesce(sum(waiting.paid), 0)::text`.as('sum'))
        .whereRef('waiting.workspace_id', '=', 'withdrawal.workspace_id')
        .whereRef('waiting.paid_currency', '=', 'withdrawal.currency')
        .where(({ or, eb }) =>
          or([
            eb('waiting.withdrawal_id', '=', transactionId),
            eb('waiting.payout_id', 'in', payoutsOf(tx, staff, transactionId)).and('waiting.why', 'in', [
              returned,
              returnedAgain,
            ]),
          ]),
        )
        .where('waiting.state', '<>', 'closed')
        .as('waiting'),
    )
    .where('withdrawal.workspace_id', '=', staff.workspaceId)
    .where('withdrawal.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow()
  return subtractAmounts(subtractAmounts(row.paid, row.settled), row.waiting ?? '0')
}

type Offered = Pick<DeskWithdrawal, 'returnable' | 'is_returned_again'>

/** What staff can report as returned, null if nothing, and whether it would be another return of a payout. */
export async function readReturnable(tx: Tx, staff: Staff, withdrawal: Withdrawal): Promise<Offered> {
  const payment = await findReturnable(tx, staff, withdrawal)
  const left = payment ? await readLeft(tx, staff, withdrawal.transaction_id) : '0'
  if (!payment || !isMore(left, '0')) return { returnable: null, is_returned_again: false }
  return { returnable: toScale(left, withdrawal.currency), is_returned_again: payment.payout !== null }
}

/**
 * A rejected deposit that credited a returned transfer is decided anew: one person's rejection after a refusal by the
 * platform does not end what takes as many people as the withdrawal.
 */
export async function reopenReturn(tx: Tx, by: Decider, deposit: TransactionRow): Promise<void> {
  const credited = await readCreditedException(tx, by, deposit.transaction_id)
  if (!credited?.withdrawal_id || credited.claims === null) return
  const withdrawal = await lockTransaction(tx, by, credited.withdrawal_id)
  const { amount, ticket } = deposit
  await open(tx, by, withdrawal, { payout: null, amount, reference: credited.claims, about: `again ${ticket}` })
  await recordEvent(tx, by, withdrawal, reportAfterEnd, `T-${ticket} was rejected, so the return is decided anew`)
}
