import type { Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import type { MismatchKind } from '@atrium/contract/reconciliation/states.ts'
import { knownOr, otherLabel, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

/** Name and advice of each kind of mismatch. English text is the translation key. */
export const kindLabels: Record<MismatchKind, { label: string; about: string }> = knownOr(
  { label: otherLabel, about: '' },
  {
    missing_at_platform: {
      label: 'Missing on the platform',
      about: 'The portal booked it, but the platform shows no such operation. Somebody may have deleted it there.',
    },
    missing_at_portal: {
      label: 'Missing in the portal',
      about: 'The platform shows an operation that the portal did not make: usually a dealer booked it manually.',
    },
    other_amount: {
      label: 'Different amount on the platform',
      about: 'The amount of the operation differs from the one that the portal requested.',
    },
    twice_at_platform: {
      label: 'Twice on the platform',
      about: 'The same transaction is on the account more than once. Reverse one of them on the platform.',
    },
    paid_not_credited: {
      label: 'Paid, not credited',
      about: 'The provider confirmed a payment, but the account was not credited.',
    },
    not_paid_at_provider: {
      label: 'Credited, not paid',
      about: 'The account was credited, but the provider has not reported a payment.',
    },
    other_amount_at_provider: {
      label: 'Different amount at the provider',
      about: 'The provider reported a different amount or currency from the one credited.',
    },
    paid_twice: {
      label: 'Paid twice',
      about: 'The provider reported more than one payment for one deposit. It was credited once.',
    },
    unknown_payment: {
      label: 'Unmatched payment',
      about: 'The provider confirmed a payment that matches no deposit.',
    },
    returned: { label: 'Returned', about: 'The provider took the payment back: a refund or a dispute.' },
    paid_out_twice: {
      label: 'Paid out twice',
      about:
        'The provider paid it more than once or after it was refunded, or its reference is also on another withdrawal.',
    },
  },
)

export const stateLabels: Record<Mismatch['state'], { label: string; meaning: Meaning }> = knownOr(otherState, {
  open: { label: 'To review', meaning: 'amber' },
  explained: { label: 'Explained', meaning: 'green' },
  vanished: { label: 'Matches now', meaning: 'grey' },
})

const methods: Record<string, string> = {
  manual: 'Bank transfer',
  platform: 'On the platform',
  crypto_transfer: 'Crypto transfer',
}

/** The label of a payment method; an unknown one shows its name without the provider prefix. */
export const methodLabels = (method: string): string => methods[method] ?? method.replace(/^psp:/, '')
