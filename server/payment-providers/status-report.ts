import type { Decimal } from '@atrium/contract/money/money.ts'
import type { CardBrand } from '@atrium/contract/validators/cards.ts'

export type StatusReport = {
  /** Set for a proven message about a payout; all others are about a deposit. */
  kind?: 'payout'
  attempt: string | null
  reference: string | null
  /** The provider's time of the payment, in its spelling: where it sends no reference, it tells equal payments apart. */
  paidAt?: string
  state: ReportedState
  /** The price. Null where only coins are reported, and for an invalid amount. */
  amount: Decimal | null
  currency: string | null
  /** For an order in coins: the coin, the requested and the received amount. For a payout: the amount sent. */
  coin?: { code: string; asked: Decimal | null; received: Decimal }
  /** For a payout with an unsigned message: the beneficiary account it names, compared with the agreed one. */
  account?: string
  /** Why a proven message still needs manual review. */
  manualReview?: 'above_limit' | 'unverified'
  /** The card's brand. For display only; no decision depends on it. */
  card?: CardBrand
  /** A short text for display; null if the provider sent none. */
  reason: string | null
  /** The provider's own status word, for the desk. */
  word: string
}

/**
 * unpaid: the page is open and nothing was paid. payable: the member agreed, and `complete` captures it. pending: in
 * progress. paid: the money has arrived. declined: final. try_declined: one try failed, and the page allows another.
 * returned: refunded or charged back. hint: says nothing about the outcome and triggers a query. unclear: a status that
 * the adapter does not know in this exact spelling, or one that means "ask the bank": always a manual review.
 */
export type ReportedState =
  | 'unpaid'
  | 'payable'
  | 'pending'
  | 'paid'
  | 'declined'
  | 'try_declined'
  | 'cancelled'
  | 'returned'
  | 'hint'
  | 'unclear'

/** Statuses of a payment or payout that is not over. */
export const statesWithoutOutcome: readonly ReportedState[] = ['unpaid', 'payable', 'pending', 'hint']

export type Acknowledgement = { status: number; contentType: string; body: string }
