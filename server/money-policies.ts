import type { MoneyDecisionName } from '@atrium/contract/money/decisions.ts'
import { decidingDifference } from './account-sync/decision.ts'
import { assigningOwner } from './account-sync/owner.ts'
import { approvingDeposit, rejectingDeposit } from './deposits/decision.ts'
import { retryingDeposit, retryingWithdrawal } from './funding/crediting/stuck-credit.ts'
import { settlingDeposit, settlingWithdrawal } from './funding/crediting/stuck-outcome.ts'
import type { MoneyPolicy } from './money-decisions/policy.ts'
import { endingOpening } from './openings/ending.ts'
import { retryingOpening } from './openings/recheck.ts'
import { replayingWebhookEvent } from './payments/desk-webhook-events.ts'
import { closingException, creditingException } from './payments/exceptions/decision-record.ts'
import { reportingReturn } from './payments/exceptions/returned-transfer.ts'
import { disputingPaid, recordingPaid } from './payments/payouts/hand-payment.ts'
import { markingFailed, markingPaid } from './payments/payouts/payout.ts'
import { payingByProvider } from './payments/payouts/payout-decision.ts'
import { explaining, reopening } from './reconciliation/explanation.ts'
import { askingForDay } from './reconciliation/requests.ts'
import { approvingWithdrawal, rejectingWithdrawal } from './withdrawals/withdrawal-decision.ts'

/** The policy of every money decision. A decision without a policy fails to compile and stops the start. */
export const moneyPolicies: Record<MoneyDecisionName, MoneyPolicy> = {
  'deposit.approve': approvingDeposit,
  'deposit.reject': rejectingDeposit,
  'deposit.retry-stuck': retryingDeposit,
  'deposit.settle-stuck': settlingDeposit,
  'withdrawal.approve': approvingWithdrawal,
  'withdrawal.reject': rejectingWithdrawal,
  'withdrawal.mark-paid': markingPaid,
  'withdrawal.record-paid': recordingPaid,
  'withdrawal.mark-failed': markingFailed,
  'withdrawal.dispute-paid': disputingPaid,
  'withdrawal.report-returned': reportingReturn,
  'withdrawal.pay-by-provider': payingByProvider,
  'withdrawal.retry-stuck': retryingWithdrawal,
  'withdrawal.settle-stuck': settlingWithdrawal,
  'payment-exception.credit': creditingException,
  'payment-exception.close': closingException,
  'payment-notification.replay': replayingWebhookEvent,
  'account-difference.decide': decidingDifference,
  'account.assign-owner': assigningOwner,
  'account-opening.retry': retryingOpening,
  'account-opening.end': endingOpening,
  'reconciliation.ask': askingForDay,
  'reconciliation.explain': explaining,
  'reconciliation.reopen': reopening,
}
