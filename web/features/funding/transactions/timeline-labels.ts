import type { Meaning } from '../../../ui/brand/theme.ts'

type EventLabels = {
  title: string
  meaning: Meaning
  /** Notes in the platform's words are for staff only. */
  isNoteHidden?: boolean
}

/** Labels by event name; an event unknown to this build is shown as a change. */
export const eventLabels: Record<string, EventLabels> = {
  'deposit.requested': { title: 'You created the deposit', meaning: 'green' },
  'deposit.demo-requested': { title: 'You requested demo funds', meaning: 'green' },
  'deposit.demo-balance': { title: 'Starting balance of your demo account', meaning: 'green' },
  'deposit.approved-once': { title: 'Approved once; a second approval is needed', meaning: 'green' },
  'deposit.approved-by-desk': { title: 'We approved it', meaning: 'green' },
  'deposit.rejected': { title: 'We could not accept it', meaning: 'red' },
  'deposit.handed-over': { title: 'You opened the payment page', meaning: 'blue', isNoteHidden: true },
  'deposit.paid-at-provider': { title: 'Your payment arrived', meaning: 'green', isNoteHidden: true },
  'deposit.coins-seen': {
    title: 'We detected your coins and are waiting for the network to confirm them',
    meaning: 'blue',
  },
  'deposit.pending-at-provider': { title: 'Your payment is on its way', meaning: 'blue', isNoteHidden: true },
  'deposit.pending-too-long': {
    title: 'Your payment takes longer than usual; our team is asking the payment provider',
    meaning: 'amber',
    isNoteHidden: true,
  },
  'deposit.payment-try-declined': { title: 'A payment attempt was declined', meaning: 'amber', isNoteHidden: true },
  'deposit.declined-by-provider': { title: 'The payment was declined', meaning: 'red', isNoteHidden: true },
  'deposit.not-paid-in-time': { title: 'No payment arrived in time', meaning: 'grey', isNoteHidden: true },
  'deposit.payment-differs': { title: 'Your payment is in review', meaning: 'amber', isNoteHidden: true },
  'deposit.cancelled': { title: 'You cancelled it', meaning: 'grey' },
  'deposit.being-checked': { title: 'Verifying with the trading platform', meaning: 'blue', isNoteHidden: true },
  'deposit.sent-again': { title: 'Sent to the trading platform again', meaning: 'blue', isNoteHidden: true },
  'deposit.refused-by-platform': {
    title: 'The trading platform did not accept it; we are looking into it',
    meaning: 'amber',
    isNoteHidden: true,
  },
  'deposit.credited': { title: 'Credited to your trading account', meaning: 'green', isNoteHidden: true },
  'withdrawal.requested': { title: 'You created the withdrawal', meaning: 'green' },
  'withdrawal.approved-once': { title: 'Approved once; a second approval is needed', meaning: 'green' },
  'withdrawal.approved-by-desk': { title: 'We approved it and sent it to the trading platform', meaning: 'green' },
  'withdrawal.demo-balance': { title: 'Sent to the trading platform', meaning: 'green' },
  'withdrawal.rejected': { title: 'We could not accept it', meaning: 'red' },
  'withdrawal.cancelled': { title: 'You cancelled it', meaning: 'grey' },
  'withdrawal.being-checked': { title: 'Verifying with the trading platform', meaning: 'blue', isNoteHidden: true },
  'withdrawal.sent-again': { title: 'Sent to the trading platform again', meaning: 'blue', isNoteHidden: true },
  'withdrawal.refused-by-platform': {
    title: 'The trading platform did not accept it; we are looking into it',
    meaning: 'amber',
    isNoteHidden: true,
  },
  'withdrawal.debited': { title: 'Debited from your trading account', meaning: 'green', isNoteHidden: true },
  'withdrawal.payout-started': { title: 'We asked the payment provider to pay it', meaning: 'blue' },
  'withdrawal.sent-to-provider': { title: 'The payment provider is processing it', meaning: 'blue' },
  'withdrawal.payout-for-staff': {
    title: 'We are looking into the payment',
    meaning: 'amber',
    isNoteHidden: true,
  },
  'withdrawal.paid-out': { title: 'Paid out', meaning: 'green' },
  'withdrawal.payout-failed': { title: 'The payment could not be made', meaning: 'amber' },
  'withdrawal.return-being-checked': {
    title: 'Verifying with the trading platform',
    meaning: 'blue',
    isNoteHidden: true,
  },
  'withdrawal.return-refused': {
    title: 'The trading platform did not accept the refund; we are looking into it',
    meaning: 'amber',
    isNoteHidden: true,
  },
  'withdrawal.returned': { title: 'Returned to your trading account', meaning: 'blue', isNoteHidden: true },
}

/** Who did something, or acts next. */
export const actorLabels: Record<string, string> = {
  member: 'You',
  staff: 'Our team',
  system: 'Automatic',
  platform: 'The trading platform',
  provider: 'The payment provider',
}

export type ComingStep = {
  title: string
  by: keyof typeof actorLabels
  /** The first of several steps is in progress and has a due time: hours after the creation of the transaction, or a text. */
  withinHours?: number
  when?: string
}

const credited: ComingStep = { title: 'The amount is credited to your trading account', by: 'platform' }

const debited: ComingStep = { title: 'The amount is debited from your trading account', by: 'platform' }
const paid: ComingStep = { title: 'The amount is sent to you', by: 'staff' }

/** The next steps and who acts, by type and state. */
export const comingSteps: Record<string, Record<string, ComingStep[]>> = {
  deposit: {
    pending: [{ title: 'Our team reviews your receipt', by: 'staff', withinHours: 24 }, credited],
    crediting: [{ ...credited, when: 'usually within a minute' }],
    checking: [
      {
        title: 'We make sure that it is credited exactly once; no action needed',
        by: 'system',
        when: 'usually within a few minutes; otherwise our team follows up',
      },
      credited,
    ],
  },
  /** A deposit through a payment provider. */
  payment: {
    awaited: [{ title: 'You pay, and the payment provider confirms it', by: 'member' }, credited],
    declined: [{ title: 'You try again, or pay in another way', by: 'member' }, credited],
    'on-its-way': [
      { title: 'The payment arrives', by: 'provider', when: 'with some banks this takes several days' },
      credited,
    ],
    'in-review': [{ title: 'Our team looks into your payment; do not pay again', by: 'staff' }, credited],
  },
  withdrawal: {
    pending: [{ title: 'Our team reviews your withdrawal', by: 'staff', withinHours: 24 }, debited, paid],
    debiting: [{ ...debited, when: 'usually within a minute' }, paid],
    checking: [
      {
        title: 'We make sure that it is debited exactly once; no action needed',
        by: 'system',
        when: 'usually within a few minutes; otherwise our team follows up',
      },
      paid,
    ],
    paying: [{ ...paid, when: 'usually within three working days' }],
    returning: [
      { title: 'The amount is returned to your trading account', by: 'platform', when: 'usually within a minute' },
    ],
  },
}
