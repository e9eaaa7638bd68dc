import { toScale } from '@atrium/contract/money/money.ts'
import { brandNamed } from '@atrium/contract/validators/cards.ts'
import { type OrderToStart, PaymentProblem, type PayoutState, type PayoutToStart } from '../contract.ts'
import { amountIn, amountShape, currencyShape, cut, digitsShape } from '../messages.ts'
import { type HashName, hashOfParts, isSameSignature } from '../signing.ts'
import type { ReportedState, StatusReport } from '../status-report.ts'

/** Maps their terms to ours and back; pure functions. */
export type Fields = readonly { name: string; value: string }[]
export type Merchant = {
  merchantId: string
  siteId: string
  secretKey: string
  hash: HashName
  /** Accounts differ in whether URLs are hashed in plain or percent-encoded form. */
  urlForm: 'plain' | 'encoded'
}

const two = (number: number): string => String(number).padStart(2, '0')

/** `2024-07-01.11:04:10`, in GMT. */
export function pageTime(at: Date): string {
  const day = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`
  return `${day}.${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
}

/** `20240701110410`, in GMT. */
export const callTime = (at: Date): string => pageTime(at).replace(/[^0-9]/g, '')

/** The fields of the hosted page in their signing and posting order; empty ones are omitted. */
export function pageFields(order: OrderToStart, merchant: Merchant): Fields {
  const { payer, urls, amount } = order
  const fields: [string, string][] = [
    ['merchant_id', merchant.merchantId],
    ['merchant_site_id', merchant.siteId],
    ['total_amount', amount],
    ['currency', order.currency],
    ['user_token_id', payer.id],
    ['item_name_1', 'Deposit'],
    ['item_amount_1', amount],
    ['item_quantity_1', '1'],
    ['time_stamp', pageTime(order.at)],
    ['version', '4.0.0'],
    ['notify_url', urls.notify],
    ['merchant_unique_id', order.attempt],
    ['success_url', urls.back],
    ['pending_url', urls.back],
    ['error_url', urls.back],
    ['back_url', urls.cancelled],
    ['first_name', cut(payer.firstName, 30)],
    ['last_name', cut(payer.lastName, 40)],
    ['email', cut(payer.email, 100)],
    ['address1', cut(payer.address, 60)],
    ['city', cut(payer.city, 30)],
    ['zip', cut(payer.zip ?? '', 10)],
    ['country', payer.country],
    ['phone1', cut(payer.phone.replace(/[\s()-]/g, ''), 18)],
    ['encoding', 'UTF-8'],
  ]
  const sent = fields.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value }))
  return [...sent, { name: 'checksum', value: pageChecksum(sent, merchant) }]
}

/** The secret first, then every value as sent. */
export function pageChecksum(fields: Fields, { secretKey, hash, urlForm }: Merchant): string {
  const values = fields.map(({ name, value }) =>
    urlForm === 'encoded' && name.endsWith('_url') ? encodeURIComponent(value) : value,
  )
  return hashOfParts([secretKey, ...values], hash)
}

const signed = ['totalAmount', 'currency', 'responseTimeStamp', 'PPP_TransactionID', 'Status', 'productId'] as const

/**
 * The values are joined without a separator, so each must match its fixed format: no character can move to a
 * neighbouring value, and the page's values, hashed with the same secret, cannot form a message.
 */
const shapes: Readonly<Record<(typeof signed)[number], RegExp>> = {
  totalAmount: amountShape,
  currency: currencyShape,
  responseTimeStamp: /^\d{4}-\d{2}-\d{2}\.\d{2}:\d{2}:\d{2}$/,
  PPP_TransactionID: digitsShape,
  Status: /^[A-Za-z_]{1,30}$/,
  productId: /^[^\p{Cc}]{0,50}$/u,
}
export const hasShape = (message: URLSearchParams): boolean =>
  signed.every((name) => shapes[name].test(message.get(nameIn(message, name)) ?? ''))

/** Checks the signed fields only; the provider is queried about the rest. */
export function isSigned(message: URLSearchParams, { secretKey, hash }: Merchant): boolean {
  if (secretKey === '' || !hasShape(message)) return false
  const parts = signed.map((name) => message.get(nameIn(message, name)) ?? '')
  return isSameSignature(message.get('advanceResponseChecksum'), hashOfParts([secretKey, ...parts], hash))
}

/** They write it `Status` or `status`. */
const nameIn = (message: URLSearchParams, name: string): string =>
  name === 'Status' && !message.has('Status') ? 'status' : name

/** A duplicate name may mean different values to them and to us, so the whole message is refused. */
export const isAmbiguous = (message: URLSearchParams): boolean =>
  [...signed, ...['status', 'advanceResponseChecksum', 'merchant_unique_id', 'clientUniqueId'], ...more].some(
    (name) => message.getAll(name).length > 1,
  )
const more = ['transactionType', 'TransactionID', 'merchant_id', 'merchant_site_id'] as const

/** An authorization or money in the other direction is not a deposit. */
function stateOf(word: string, kind: string): ReportedState {
  if (word === 'APPROVED' || word === 'SUCCESS') {
    if (['Credit', 'Refund', 'Void', 'Chargeback'].includes(kind)) return 'returned'
    if (['Auth', 'Auth3D', 'InitAuth3D', 'PreAuth'].includes(kind)) return 'pending'
    // Without a kind it may be an authorization.
    return ['Sale', 'Settle'].includes(kind) ? 'paid' : 'unclear'
  }
  if (word === 'PENDING') return 'pending'
  // The bank is still asking the member to confirm.
  if (word === 'REDIRECT') return 'unpaid'
  // The page lets the member try again with another card.
  if (word === 'DECLINED' || word === 'ERROR') return 'try_declined'
  return word === 'CANCELED' || word === 'CANCELLED' ? 'cancelled' : 'unclear'
}

const amountOf = (text: string, currency: string): string | null =>
  amountIn(text) === null ? null : toScale(text, currency)

type Reported = {
  attempt: string
  reference: string
  word: string
  kind: string
  amount: string
  currency: string
  reason: string
}

export function reportOf({ attempt, reference, word, kind, amount, currency, reason }: Reported): StatusReport {
  return {
    attempt: attempt || null,
    reference: reference || null,
    state: stateOf(word, kind),
    amount: amountOf(amount, currency),
    currency: currency || null,
    reason: reason === '' ? null : cut(reason.replaceAll('+', ' '), 200),
    word: cut(kind === '' ? word : `${word} ${kind}`, 40),
  }
}

/** The prefix of our payout attempts. */
const payoutName = /^wd-/

export function readMessage(message: URLSearchParams): StatusReport {
  const text = (name: string): string => message.get(name) ?? ''
  const ours = text('merchant_unique_id') || text('clientUniqueId')
  // Neither our attempt id nor the kind is signed, so a payout message is a hint and the provider is queried.
  if (payoutName.test(ours)) {
    const said = { reference: null, amount: null, currency: null, reason: null }
    return { kind: 'payout', attempt: ours, state: 'hint', word: cut(text(nameIn(message, 'Status')), 40), ...said }
  }
  const card = brandNamed(text('cardCompany'))
  const reported = reportOf({
    attempt: ours,
    reference: text('PPP_TransactionID'),
    word: text(nameIn(message, 'Status')),
    kind: text('transactionType'),
    amount: text('totalAmount'),
    currency: text('currency'),
    reason: text('Reason') || text('message') || text('Error'),
  })
  return card ? { ...reported, card } : reported
}

/** The secret comes last. */
export const callChecksum = (parts: readonly string[], { secretKey, hash }: Merchant): string =>
  hashOfParts([...parts, secretKey], hash)

export function payoutBody(payout: PayoutToStart, userPaymentOptionId: string, merchant: Merchant) {
  const { attempt, amount, currency } = payout
  const { merchantId, siteId: merchantSiteId } = merchant
  const timeStamp = callTime(payout.at)
  return {
    merchantId,
    merchantSiteId,
    userTokenId: payout.payer.id,
    clientUniqueId: attempt,
    clientRequestId: attempt,
    amount,
    currency,
    timeStamp,
    userPaymentOption: { userPaymentOptionId },
    deviceDetails: { ipAddress: payout.payer.ip },
    urlDetails: { notificationUrl: payout.notify },
    checksum: callChecksum([merchantId, merchantSiteId, attempt, amount, currency, timeStamp], merchant),
  }
}

const payoutStates: Record<string, PayoutState['state']> = {
  APPROVED: 'paid',
  PENDING: 'pending',
  DECLINED: 'declined',
  ERROR: 'declined',
}
export const payoutWordOf = (word: string) => (Object.hasOwn(payoutStates, word) ? payoutStates[word] : undefined)
const textIn = (message: Record<string, unknown>, name: string): string => String(message[name] ?? '')

/** The bank did not answer them in time: it may have paid, so `ERROR` with this code is no refusal. */
const timeoutCode = '-1203'
export const isTimeout = (codes: readonly string[]): boolean => codes.includes(timeoutCode)

/** The answer to our own call. An unknown status, or a timeout of the bank, leaves the outcome unknown. */
export function payoutStateOf(answer: Record<string, unknown>): PayoutState {
  const word = textIn(answer, 'transactionStatus')
  const state = payoutWordOf(word)
  const codes = ['errCode', 'gwErrorCode', 'gwExtendedErrorCode'].map((name) => textIn(answer, name))
  if (!state || (state === 'declined' && isTimeout(codes))) throw new PaymentProblem('unknown', cut(word, 40))
  return { state, reference: textIn(answer, 'transactionId') || null }
}
