import type { Decimal } from '@atrium/contract/money/money.ts'
import type { CardBrand } from '@atrium/contract/validators/cards.ts'

export type Reported = {
  /** Stands there when it is about a payout, by something that the provider proved; all else is about a deposit. */
  kind?: 'payout'
  attempt: string | null
  reference: string | null
  state: ReportedState
  /** The price. Null where only coins are told, and for what is no amount. */
  amount: Decimal | null
  currency: string | null
  /** Of an order in coins: which one, how much was asked for, and how much came. Of a payout: how much is sent. */
  coin?: { code: string; asked: Decimal | null; received: Decimal }
  /** Of a payout whose message is not signed: where it says that the money goes. What it names is held against all that was agreed. */
  account?: string
  /** Proven, and all the same for a person to decide about: why. */
  forStaff?: 'above_limit' | 'unverified'
  /** The make of the card that was paid with. For people to read: nothing is decided by it. */
  card?: CardBrand
  /** For people, short; null where the provider said nothing. */
  reason: string | null
  /** The provider's own word, for the desk. */
  word: string
}

/**
 * unpaid: the page is open and nothing was paid. payable: the member agreed, and `complete` takes it. pending: on its way.
 * paid: the money is there. declined: final. try_declined: one try was, and the page lets the member try again. returned:
 * refunded or charged back. hint: says nothing of what became of the money and is a reason to ask. unclear: a word that the
 * adapter does not know, exact spelling included, or one that means "ask the bank": always a manual review.
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

export type Acknowledgement = { status: number; contentType: string; body: string }
