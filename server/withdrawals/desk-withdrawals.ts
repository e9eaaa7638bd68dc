import { openStates } from '@atrium/contract/funding/states.ts'
import { subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { retryReasons } from '@atrium/contract/payments/payouts.ts'
import { isProvider, type WithdrawalReason, withdrawalReasons } from '@atrium/contract/withdrawals/calls.ts'
import type { DeskPayout, DeskWithdrawal, DeskWithdrawalRow } from '@atrium/contract/withdrawals/desk-calls.ts'
import { readTimeline } from '../deposits/desk-queries.ts'
import type { Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { isFromBeforeRestore } from '../funding/crediting/restore-moment.ts'
import { shapeStuckOutcome } from '../funding/crediting/stuck-outcome.ts'
import {
  selectTransactions,
  shapeTransaction,
  transactionColumns,
  transactionMarks,
} from '../funding/desk-transactions.ts'
import { identityInTheWay } from '../funding/identity-rule.ts'
import { closureOf, paymentHeldUntil } from '../funding/payable.ts'
import { readRiskFacts } from '../funding/risk-facts.ts'
import { countApprovals, describeApprovalSubject, describeApprovals } from '../funding/transaction-approvals.ts'
import { readApprovals } from '../money-decisions/approvals.ts'
import { countApprovalsNeeded } from '../money-decisions/second-approval.ts'
import { isSelfApproval } from '../money-decisions/self-approval.ts'
import { readPayouts } from '../payments/desk-queries.ts'
import { readReturnable } from '../payments/exceptions/returned-transfer.ts'
import { readHandPayment } from '../payments/payouts/hand-payment.ts'
import { readBeneficiary } from './beneficiary-fields.ts'

const rowColumns = [
  ...transactionColumns,
  'transaction.fee',
  'transaction.destination',
  'transaction.approvals_needed',
] as const

type Selected = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]
const selectRows = (tx: Tx, staff: Staff) =>
  selectTransactions(tx, staff, 'withdrawal').select(rowColumns).select(transactionMarks).select(countApprovals)

function shapeRow(row: Selected): DeskWithdrawalRow {
  const { currency } = row
  return {
    ...shapeTransaction(row),
    fee: toScale(row.fee, currency),
    net: toScale(subtractAmounts(row.amount, row.fee), currency),
    destination: row.destination,
    approvals: row.approvals,
    approvals_needed: row.approvals_needed,
  }
}

/** One withdrawal with the data for a decision: beneficiary, approvals, and the state of its debit. */
export function readDeskWithdrawal(staff: Staff, transactionId: string): Promise<DeskWithdrawal> {
  return reading(staff, async (tx) => {
    const row = await selectRows(tx, staff)
      .select(['transaction.comment', 'transaction.destination_text', 'transaction.coin', 'transaction.approval_round'])
      .select('transaction.destination_id')
      .select(['transaction.payout_reference', 'transaction.rejection_reason', 'transaction.rejection_note'])
      .where('transaction.transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    const isDecided = row.state !== 'pending'
    const payouts = await readPayouts(tx, staff, transactionId)
    const paid_by_hand = row.state === 'paying' ? await readHandPayment(tx, staff, row) : null
    const given = row.rejection_reason
    const reason =
      given === null || given in withdrawalReasons ? (given as WithdrawalReason | null) : 'withdrawal_other'
    return {
      ...shapeRow(row),
      risk: await readRiskFacts(tx, staff, row),
      comment: row.comment,
      destination_text: row.destination_text,
      ...(await readBeneficiary(tx, staff, row)),
      coin: row.coin,
      payout_reference: row.payout_reference,
      rejection: reason ? { reason, note: row.rejection_note } : null,
      approvals_needed: isDecided
        ? row.approvals_needed
        : await countApprovalsNeeded(tx, staff, await describeApprovalSubject(tx, staff, row)),
      approved_by: describeApprovals(staff, await readApprovals(tx, staff, row)),
      waits_for_identity: isOpen(row) && (await identityInTheWay(tx, staff, row)) !== null,
      held_until: isOpen(row) ? ((await paymentHeldUntil(tx, staff, row))?.getTime() ?? null) : null,
      paid_by_hand,
      ...(await readReturnable(tx, staff, row)),
      closed_by: isOpen(row) ? await closureOf(tx, staff, row) : null,
      is_own: await isSelfApproval(tx, staff, row.member_id),
      timeline: await readTimeline(tx, staff, transactionId),
      payouts,
      may_pay_by_provider: paid_by_hand === null && mayPayByProvider(row, payouts[0]),
      before_restore: isOpen(row) && (await isFromBeforeRestore(tx, staff, row)),
      platform: await readIntent(tx, staff, row),
    }
  })
}

const isOpen = ({ state }: Selected): boolean => openStates.some((open) => open === state)

type Paid = Pick<Selected, 'state' | 'destination'>

function mayPayByProvider({ state, destination }: Paid, last: DeskPayout | undefined): boolean {
  if (state !== 'paying' || !isProvider(destination ?? '')) return false
  if (!last || last.state === 'declined' || last.state === 'dropped') return true
  return last.state === 'for_staff' && retryReasons.some((reason) => reason === last.why)
}

async function readIntent(tx: Tx, staff: Staff, withdrawal: Selected): Promise<DeskWithdrawal['platform']> {
  const row = await tx
    .selectFrom('platform_intents')
    .select(['state', 'attempt', 'tag', 'last_problem', 'amount', 'account_gone_at', 'decided_outcome'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', withdrawal.transaction_id)
    .orderBy('intent_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { state, attempt, tag, last_problem, amount } = row
  const kind = amount.startsWith('-') ? 'debit' : 'credit-back'
  return { kind, state, attempt, tag, last_problem, ...(await shapeStuckOutcome(tx, staff, withdrawal, row)) }
}
