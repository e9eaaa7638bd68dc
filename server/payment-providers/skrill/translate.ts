import { createHash } from 'node:crypto'
import { isSame } from '@atrium/contract/money/money.ts'
import {
  type OrderToStart,
  type PaymentFailure,
  PaymentProblem,
  type PayoutState,
  type PayoutToStart,
} from '../contract.ts'
import { countryInThreeLetters } from '../country-codes.ts'
import {
  amountIn,
  amountShape,
  currencyShape,
  cut,
  digitsShape,
  type Fields,
  nameShape,
  type StatusMap,
  stateIn,
} from '../messages.ts'
import { isSameSignature } from '../signing.ts'
import type { StatusReport } from '../status-report.ts'
import { withoutTrailingZeros } from '../trailing-zeros.ts'
import type { Texts } from '../xml.ts'

/** Maps their terms to ours and back; pure functions. */
export type Merchant = {
  payToEmail: string
  merchantId: string
  /** Two while the secret word is being changed. */
  secretWords: readonly string[]
  signature: 'md5sig' | 'sha2sig'
  shopName: string
}

const upperHash = (algorithm: 'md5' | 'sha256', text: string): string =>
  createHash(algorithm).update(text, 'utf8').digest('hex').toUpperCase()

export function prepareFields(order: OrderToStart, merchant: Merchant): readonly (readonly [string, string])[] {
  const { payer, urls } = order
  const fields: [string, string][] = [
    ['pay_to_email', merchant.payToEmail],
    ['amount', withoutTrailingZeros(order.amount)],
    ['currency', order.currency],
    ['transaction_id', order.attempt],
    ['return_url', urls.back],
    ['cancel_url', urls.cancelled],
    ['status_url', urls.notify],
    ['language', payer.language.slice(0, 2).toUpperCase()],
    ['prepare_only', '1'],
    ['recipient_description', cut(merchant.shopName, 30)],
    ['pay_from_email', cut(payer.email, 100)],
    ['firstname', cut(payer.firstName, 20)],
    ['lastname', cut(payer.lastName, 50)],
    ['address', cut(payer.address, 100)],
    ['phone_number', payer.phone.replace(/\D/g, '').slice(0, 20)],
    ['postal_code', cut((payer.zip ?? '').replace(/[^\p{L}\p{N}]/gu, ''), 9)],
    ['city', cut(payer.city, 50)],
    ['state', cut(payer.state ?? '', 50)],
    ['country', countryInThreeLetters(payer.country)],
    ['detail1_description', 'Payment'],
    ['detail1_text', cut(order.description, 240)],
  ]
  return fields.filter(([, value]) => value !== '')
}

const shapes: readonly (readonly [string, RegExp])[] = [
  ['merchant_id', digitsShape],
  ['transaction_id', nameShape],
  ['mb_amount', amountShape],
  ['mb_currency', currencyShape],
  ['status', /^-?[\w.]{1,20}$/],
]
export const hasShape = (message: Fields): boolean =>
  shapes.every(([name, shape]) => shape.test(message.get(name) ?? ''))

type Hash = 'md5' | 'sha256'

/** Signs the amount exactly as received, including zeros: a reformatted amount has another signature. */
function signatureOf(message: Fields, secretWord: string, hash: Hash, inner: Hash): string {
  const text = (name: string): string => message.get(name) ?? ''
  const parts = [
    ...[text('merchant_id'), text('transaction_id'), upperHash(inner, secretWord)],
    ...[text('mb_amount'), text('mb_currency'), text('status')],
  ]
  return upperHash(hash, parts.join(''))
}

/** Sources differ on the secret word's hash inside sha2sig, MD5 (as in md5sig) or SHA-256. Both are accepted. */
const hashes: Readonly<Record<Merchant['signature'], readonly (readonly [Hash, Hash])[]>> = {
  md5sig: [['md5', 'md5']],
  sha2sig: [
    ['sha256', 'md5'],
    ['sha256', 'sha256'],
  ],
}

export function isSigned(message: Fields, { secretWords, signature }: Merchant): boolean {
  const given = message.get(signature)?.toUpperCase()
  const words = secretWords.filter((word) => word !== '')
  return words.some((word) =>
    hashes[signature].some(([hash, inner]) => isSameSignature(given, signatureOf(message, word, hash, inner))),
  )
}

export const isForMerchant = (message: Fields, { merchantId, payToEmail }: Merchant): boolean =>
  message.get('merchant_id') === merchantId &&
  (message.get('pay_to_email') ?? '').toLowerCase() === payToEmail.toLowerCase()

const stateOf: StatusMap = {
  '2': 'paid',
  '1': 'pending',
  '0': 'pending',
  '-1': 'cancelled',
  '-2': 'declined',
  '-3': 'returned',
}

/** The `failed_reason_code` values that are useful to a member; all others are for the desk only. */
const reasons: Readonly<Record<string, string>> = {
  '01': 'Referred by the card issuer',
  '05': 'Declined by the card issuer',
  '09': 'Declined by the card issuer',
  '12': 'Invalid credit card',
  '42': 'Invalid card or wallet details',
  '51': 'Insufficient funds',
  '54': 'Card expired',
  '58': 'Transaction not permitted',
  '99': 'The payment failed',
}

/** The signed amount of a webhook event; the order's own amount from a query's answer. */
export function reportOf(message: Fields, of: 'notification' | 'answer'): StatusReport {
  const text = (name: string): string => message.get(name) ?? ''
  const [amount, currency] = of === 'answer' ? ['amount', 'currency'] : ['mb_amount', 'mb_currency']
  const word = text('status')
  const code = text('failed_reason_code')
  return {
    attempt: text('transaction_id') || null,
    reference: text('mb_transaction_id') || null,
    state: stateIn(stateOf, word),
    amount: amountIn(text(amount)),
    currency: text(currency) || null,
    reason: Object.hasOwn(reasons, code) ? (reasons[code] ?? null) : null,
    word: cut(code === '' ? word : `${word} (${code})`, 40),
  }
}

/** A transfer to a wallet, identified by its email. Amounts have no trailing zeros here either. */
export function sendFields(payout: PayoutToStart): readonly (readonly [string, string])[] {
  return [
    ['amount', withoutTrailingZeros(payout.amount)],
    ['currency', payout.currency],
    ['bnf_email', payout.account],
    ['subject', cut(payout.description, 250)],
    ['note', cut(payout.description, 2000)],
    ['frn_trn_id', payout.attempt],
  ]
}

const refusals = /^(MISSING|INVALID|SINGLE_TRN_LIMIT|MONTHLY_LIMIT|DISALLOWED_RECIPIENT|PAYMENT_DENIED)/
/** The password, this server's IP address, or an insufficient merchant balance. */
const forPeople = /^(CANNOT_LOGIN|ACCESS_DENIED|BALANCE_NOT_ENOUGH|LOGIN_INVALID)/

/** An undocumented error proves nothing, nor does one that a transfer in progress may have caused. */
export function failureOfSending(word: string): PaymentFailure {
  if (forPeople.test(word)) return 'misconfigured'
  return refusals.test(word) ? 'declined' : 'unknown'
}

/**
 * 2: paid into their wallet. 1: reserved until the recipient opens a wallet. An answer with another amount proves
 * nothing.
 */
export function sentState(answer: Texts, payout: Pick<PayoutToStart, 'amount' | 'currency'>): PayoutState {
  const text = (name: string): string => answer.get(`response/transaction/${name}`) ?? ''
  const amount = amountIn(text('amount'))
  if (amount === null || !isSame(amount, payout.amount) || text('currency') !== payout.currency)
    throw new PaymentProblem('unknown', 'reported another amount, or none')
  const state = stateIn(stateOf, text('status'))
  if (state === 'unclear') throw new PaymentProblem('unknown', `status ${cut(text('status'), 20)}`)
  return { state: state === 'paid' || state === 'pending' ? state : 'declined', reference: text('id') || null }
}

const payoutReasons: Readonly<Record<string, string>> = {
  '-1': 'The recipient never opened the wallet',
  '-2': 'The payment failed',
}

export function payoutReportOf(message: Fields): StatusReport {
  const report = reportOf(message, 'answer')
  return { ...report, kind: 'payout', reason: payoutReasons[message.get('status') ?? ''] ?? report.reason }
}
