import type { CaseDecision } from '@atrium/contract/desk-cases.ts'
import type { notificationKinds } from '@atrium/contract/desk-notifications.ts'
import type { Meaning } from '../../ui/theme.ts'

/** The desk's words for payments that somebody decides about. English text is the translation key. */
export const whyWords: Record<string, string> = {
  amount_differs: 'Another amount was paid than agreed.',
  currency_differs: 'It was paid in another currency than agreed.',
  coin_differs: 'It was paid in another coin than agreed.',
  more_than_asked: 'More coins came than were asked for. What was agreed is credited already.',
  another_reference: 'The provider names another payment than the one that was started.',
  reference_taken: 'This payment belongs to another order already.',
  after_cancel: 'It was paid after the member had cancelled.',
  after_expiry: 'It was paid after the order had ended.',
  after_rejection: 'It was paid after the deposit had been rejected.',
  second_payment: 'A second payment came for the same order.',
  returned: 'The provider says that the money went back.',
  unverified:
    'What came does not prove which payment it is about. Look in the provider\u2019s list whether it was paid.',
  above_limit: 'It is above what this provider is believed up to by itself. Look in its list whether it was paid.',
  unclear_word: 'The provider says a word that is not known here. Ask it what became of the payment before you decide.',
  pending_too_long:
    'The provider has said that the payment is pending for longer than it may take. Ask it where the money is.',
}

export const decisionWords: Record<CaseDecision, string> = {
  credit_agreed: 'Credited with what was agreed',
  credit_paid: 'Credited with what was paid',
  given_back: 'Given back outside of the program',
  explained: 'Closed with a reason',
}

export const kindWords: Record<(typeof notificationKinds)[number], string> = {
  genuine: 'Proven',
  unverified: 'Asked about',
  forged: 'Not proven',
  unknown_order: 'No such order',
  for_staff: 'For a person',
  unread: 'Not read yet',
}

const verdictWords: Record<string, string> = {
  unread: 'Not read yet',
  unreadable: 'Cannot be read',
  unsigned: 'Without a signature',
  wrong_signature: 'Wrong signature',
  another_merchant: 'Of another merchant',
  another_sender: 'From another address',
}

const outcomeWords: Record<string, string> = {
  applied: 'Acted on',
  repeated: 'Said before',
  noted: 'Changed nothing',
  unknown_order: 'No such order',
  for_staff: 'For a person',
}

/** What was made of a notification, in a word and a colour. */
export function judgement({ verdict, outcome }: { verdict: string; outcome: string | null }): {
  label: string
  meaning: Meaning
} {
  // What the provider answered when it was asked is what was acted on.
  if (verdict !== 'genuine' && verdict !== 'unverified')
    return { label: verdictWords[verdict] ?? verdict, meaning: verdict === 'unread' ? 'blue' : 'red' }
  const label = outcomeWords[outcome ?? ''] ?? 'Proven'
  if (outcome === 'for_staff' || outcome === 'unknown_order') return { label, meaning: 'amber' }
  return { label, meaning: outcome === 'applied' ? 'green' : 'grey' }
}
