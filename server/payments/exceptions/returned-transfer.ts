import { amountTexts } from '@atrium/contract/deposits/calls.ts'
import { formatAmount, isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { sql } from 'kysely'
import { type Actor, authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { lockTransaction, recordEvent, reportAfterEnd, type TransactionRow } from '../../funding/transaction.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { type Decider, decide, definePolicy } from '../../money-decisions/policy.ts'
import { openException, readCreditedException } from './exception.ts'
import { returnedTransfer, settledOf } from './returned-payout.ts'

export const reportingReturn = definePolicy({
  name: 'withdrawal.report-returned',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Opens a payment exception, whose decision takes as many people as the withdrawal.',
})

type Report = { amount: unknown; reference: string; reason: string }

/**
 * Records that the bank returned a transfer that staff made by hand, of which no provider reports: a payment exception
 * like that of a payout that came back. The withdrawal stays paid. The row of the withdrawal is locked, so two reports
 * see each other.
 */
export async function reportReturnedTransfer(staff: Staff, transactionId: string, report: Report): Promise<void> {
  authorizeStaff(staff, reportingReturn.right)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockTransaction(tx, staff, transactionId)
    if (withdrawal.type !== 'withdrawal') refuseNotFound()
    if (await isRepeated(tx, staff, withdrawal.member_id)) return
    await decide(tx, staff, reportingReturn, { memberId: withdrawal.member_id })
    if (!(await isPaidByHand(tx, staff, withdrawal))) refuse('illegal_move', withdrawalDeskTexts.notPaidByHand)
    const { currency, transaction_id, member_id } = withdrawal
    const { reference, reason } = report
    const { amount, explained } = await readReturned(tx, staff, withdrawal, report)
    const about = `returned ${amount} ${currency}`
    await open(tx, staff, withdrawal, {
      amount,
      reference,
      about: explained === 0 ? about : `${about} ${explained + 1}`,
    })
    const note = `The bank returned ${amount} ${currency} of the transfer: ${reference}. ${reason}`
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
 * which every earlier report was explained: a slip, or a return that came later after all.
 */
async function readReturned(
  tx: Tx,
  staff: Staff,
  withdrawal: TransactionRow,
  { amount, reference }: Report,
): Promise<{ amount: string; explained: number }> {
  const { currency, transaction_id } = withdrawal
  const read = readAmount(amount, currency)
  if ('problem' in read) refuseFields({ amount: [amountTexts[read.problem]] })
  const known = await tx
    .selectFrom('payment_cases')
    .select(['state', 'decision'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('withdrawal_id', '=', transaction_id)
    .where('claims', '=', reference)
    .execute()
  if (known.some(({ state, decision }) => state !== 'closed' || decision !== 'explained'))
    refuseFields({ reference: [withdrawalDeskTexts.returnKnown] })
  const left = await readLeft(tx, staff, transaction_id)
  if (isMore(read.amount, left)) {
    const said = `${formatAmount(isMore(left, '0') ? left : '0', currency)} ${currency}`
    refuseFields({ amount: [withdrawalDeskTexts.returnTooLarge.replace('{{left}}', said)] })
  }
  return { amount: read.amount, explained: known.length }
}

type Said = { amount: string; reference: string; about: string }

/** The reference tells several returns of one payment apart; without a report of a provider it is all that does. */
function open(tx: Tx, staff: Staff, withdrawal: TransactionRow, { amount, reference, about }: Said) {
  const { member_id, transaction_id: withdrawal_id, currency } = withdrawal
  const subject = { provider_id: null, member_id, attempt: reference, withdrawal_id }
  const reported = { attempt: reference, reference: null, amount, currency, reason: null, word: 'returned' }
  return openException(tx, staff, subject, {
    reported: { ...reported, state: 'paid' },
    why: returnedTransfer,
    about,
  })
}

type Withdrawal = Pick<TransactionRow, 'transaction_id' | 'state' | 'currency'>

/** Whether staff marked it as paid: a payout that a provider paid is reported by the provider. */
async function isPaidByHand(tx: Tx, { workspaceId }: Actor, { transaction_id, state }: Withdrawal): Promise<boolean> {
  if (state !== 'approved') return false
  const paid = await tx
    .selectFrom('transaction_events')
    .select('event_id')
    .where('workspace_id', '=', workspaceId)
    .where('transaction_id', '=', transaction_id)
    .where('event', '=', 'withdrawal.paid-out')
    .where('actor_kind', '=', 'staff')
    .executeTakeFirst()
  return paid !== undefined
}

/** What was paid, less the returns that were settled or wait for a decision. */
async function readLeft(tx: Tx, { workspaceId }: Actor, transactionId: string): Promise<string> {
  const row = await tx
    .selectFrom('balance_transactions as withdrawal')
    .select(sql<string>`(withdrawal.amount - withdrawal.fee)::text`.as('paid'))
    .select(settledOf('withdrawal').as('settled'))
    .select(({ selectFrom }) =>
      selectFrom('payment_cases as waiting')
        .select(sql<string>`coalesce(sum(waiting.paid), 0)::text`.as('sum'))
        .whereRef('waiting.workspace_id', '=', 'withdrawal.workspace_id')
        .whereRef('waiting.withdrawal_id', '=', 'withdrawal.transaction_id')
        .where('waiting.state', '<>', 'closed')
        .as('waiting'),
    )
    .where('withdrawal.workspace_id', '=', workspaceId)
    .where('withdrawal.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow()
  return subtractAmounts(subtractAmounts(row.paid, row.settled), row.waiting ?? '0')
}

/** What staff can report as returned; null if nothing. */
export async function readReturnable(tx: Tx, staff: Staff, withdrawal: Withdrawal): Promise<string | null> {
  if (!(await isPaidByHand(tx, staff, withdrawal))) return null
  const left = await readLeft(tx, staff, withdrawal.transaction_id)
  return isMore(left, '0') ? toScale(left, withdrawal.currency) : null
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
  await open(tx, by, withdrawal, { amount, reference: credited.claims, about: `again ${ticket}` })
  await recordEvent(tx, by, withdrawal, reportAfterEnd, `T-${ticket} was rejected, so the return is decided anew`)
}
