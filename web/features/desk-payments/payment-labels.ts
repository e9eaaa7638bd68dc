import type { webhookEventKinds } from '@atrium/contract/payments/desk-list.ts'
import type { ExceptionDecision } from '@atrium/contract/payments/exceptions.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

/** The desk's labels of payment exceptions and webhook events. English text is the translation key. */
export const decisionLabels: Record<ExceptionDecision, string> = knownOr(otherLabel, {
  credit_agreed: 'Credited with what was agreed',
  credit_paid: 'Credited with what was paid',
  given_back: 'Refunded outside of this system',
  explained: 'Closed with a reason',
})

/** The same about a payout that came back. */
export const returnDecisionLabels: Record<ExceptionDecision, string> = knownOr(otherLabel, {
  ...decisionLabels,
  credit_paid: 'Credited back to the account',
  given_back: 'Paid again outside of this system',
})

export const kindLabels: Record<(typeof webhookEventKinds)[number], string> = knownOr(otherLabel, {
  genuine: 'Verified',
  unverified: 'Queried',
  forged: 'Refused',
  unknown_order: 'No such order',
  for_staff: 'Manual review',
  unread: 'Not processed yet',
})

const verdictLabels: Record<string, string> = {
  unread: 'Not processed yet',
  unreadable: 'Cannot be read',
  unsigned: 'No signature',
  wrong_signature: 'Wrong signature',
  another_merchant: 'Other merchant',
  another_sender: 'Other sender address',
}

const outcomeLabels: Record<string, string> = {
  applied: 'Processed',
  repeated: 'Duplicate',
  noted: 'No effect',
  unknown_order: 'No such order',
  for_staff: 'Manual review',
}

/** Label and colour of a webhook event's outcome. */
export function judgement({ verdict, outcome }: { verdict: string; outcome: string | null }): {
  label: string
  meaning: Meaning
} {
  // For an unverified webhook event the outcome comes from the provider's answer to our query.
  if (verdict !== 'genuine' && verdict !== 'unverified')
    return { label: verdictLabels[verdict] ?? verdict, meaning: verdict === 'unread' ? 'blue' : 'red' }
  const label = outcomeLabels[outcome ?? ''] ?? 'Verified'
  if (outcome === 'for_staff' || outcome === 'unknown_order') return { label, meaning: 'amber' }
  return { label, meaning: outcome === 'applied' ? 'green' : 'grey' }
}
