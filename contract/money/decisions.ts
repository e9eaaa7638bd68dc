/** All kinds of money decisions of staff. Each has exactly one policy (`server/money-policies.ts`). */
export const moneyDecisions = [
  'deposit.approve',
  'deposit.reject',
  'deposit.retry-stuck',
  'deposit.settle-stuck',
  'withdrawal.approve',
  'withdrawal.reject',
  'withdrawal.mark-paid',
  'withdrawal.record-paid',
  'withdrawal.mark-failed',
  'withdrawal.dispute-paid',
  'withdrawal.report-returned',
  'withdrawal.pay-by-provider',
  'withdrawal.retry-stuck',
  'withdrawal.settle-stuck',
  'payment-exception.credit',
  'payment-exception.close',
  'payment-notification.replay',
  'account-difference.decide',
  'account.assign-owner',
  'account-opening.retry',
  'account-opening.end',
  'reconciliation.ask',
  'reconciliation.explain',
  'reconciliation.reopen',
] as const
export type MoneyDecisionName = (typeof moneyDecisions)[number]

export const moneyDecisionTexts = {
  selfApproval: 'This is your own money, so a colleague has to decide.',
  otherDecision: 'This form was already sent with another decision. Please check the result.',
  approvedByYou: 'You have approved it already. Somebody else has to approve it too.',
  approvalsChanged:
    'The approvals have changed since you opened this. Check what your approval does now, then approve again.',
  approvedMeanwhile: 'The approvals have changed since you opened this. Check them, then reject it again.',
} as const

/** The refusals that tell of approvals that the page did not show. */
export const newerApprovals: readonly string[] = [
  moneyDecisionTexts.approvalsChanged,
  moneyDecisionTexts.approvedMeanwhile,
]
