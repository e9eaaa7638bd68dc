import { createHmac } from 'node:crypto'
import type { OrderToComplete, OrderToStart, PayoutToStart } from '../contract.ts'
import { PaymentProblem } from '../contract.ts'
import { cut, isObject, type JsonObject, type StatusMap, stateIn, textIn } from '../messages.ts'
import { fromMinorUnits, toMinorUnits } from '../minor-units.ts'
import { isSameSignature } from '../signing.ts'
import type { StatusReport } from '../status-report.ts'

/** Maps their terms to ours and back; pure functions. */

/** Integers in minor units, written into the JSON as digits. */
function bodyWith(amount: string, currency: string, rest: JsonObject): string {
  const units = toMinorUnits(amount, currency)
  if (units === null) throw new PaymentProblem('declined', 'an amount with more decimals than its currency')
  return `{"amount":${units},${JSON.stringify({ currencyCode: currency, ...rest }).slice(1)}`
}

export function handleBody(order: OrderToStart, accountId: string): string {
  const { payer, urls } = order
  const link = (rel: string, href: string) => ({ rel, href, method: 'GET' })
  return bodyWith(order.amount, order.currency, {
    merchantRefNum: order.attempt,
    transactionType: 'PAYMENT',
    paymentType: 'NETELLER',
    neteller: { consumerId: payer.email, detail1Description: 'Payment', detail1Text: cut(order.description, 50) },
    returnLinks: [
      link('default', urls.back),
      link('on_completed', urls.back),
      link('on_failed', urls.back),
      link('on_cancelled', urls.cancelled),
    ],
    billingDetails: {
      street: cut(payer.address, 50),
      city: cut(payer.city, 40),
      zip: cut(payer.zip ?? '0000', 10),
      country: payer.country,
    },
    customerIp: payer.ip,
    ...(accountId !== '' && { accountId }),
  })
}

export const paymentBody = (order: OrderToComplete, paymentHandleToken: string): string =>
  bodyWith(order.amount, order.currency, { merchantRefNum: order.attempt, paymentHandleToken, settleWithAuth: true })

export function payoutHandleBody(payout: PayoutToStart, accountId: string): string {
  return bodyWith(payout.amount, payout.currency, {
    merchantRefNum: payout.attempt,
    transactionType: 'STANDALONE_CREDIT',
    paymentType: 'NETELLER',
    neteller: { consumerId: payout.account },
    returnLinks: [{ rel: 'default', href: payout.notify, method: 'GET' }],
    customerIp: payout.payer.ip,
    ...(accountId !== '' && { accountId }),
  })
}

export const creditBody = (payout: PayoutToStart, paymentHandleToken: string): string =>
  bodyWith(payout.amount, payout.currency, { merchantRefNum: payout.attempt, paymentHandleToken })

/** Over the received bytes: re-serialized JSON has other whitespace. */
export function isSigned(body: Buffer, signature: unknown, key: string): boolean {
  if (key === '') return false
  return isSameSignature(signature, createHmac('sha256', key).update(body).digest('base64'))
}

/** A handle records the member's consent. None of its states means that money moved. */
const handleStates: StatusMap = {
  INITIATED: 'unpaid',
  PROCESSING: 'pending',
  PAYABLE: 'payable',
  COMPLETED: 'pending',
  FAILED: 'declined',
  ERRORED: 'declined',
  EXPIRED: 'declined',
  DELETED: 'declined',
}

/** A payment, or a credit to a member. Held: the provider reviews it first. */
const paymentStates: StatusMap = {
  RECEIVED: 'pending',
  PENDING: 'pending',
  PROCESSING: 'pending',
  HELD: 'pending',
  COMPLETED: 'paid',
  FAILED: 'declined',
  ERROR: 'declined',
  ERRORED: 'declined',
  EXPIRED: 'declined',
  CANCELLED: 'cancelled',
}
const payoutStates: StatusMap = { ...paymentStates, CANCELLED: 'declined' }

/** A refund that is pending or failed says nothing about the payment, nor does a settlement with the merchant. */
const refundStates: StatusMap = {
  COMPLETED: 'returned',
  INITIATED: 'hint',
  RECEIVED: 'hint',
  PENDING: 'hint',
  PROCESSING: 'hint',
  HELD: 'hint',
  FAILED: 'hint',
  ERROR: 'hint',
  ERRORED: 'hint',
  CANCELLED: 'hint',
  EXPIRED: 'hint',
}
const settlementStates: StatusMap = {
  INITIATED: 'hint',
  RECEIVED: 'hint',
  PENDING: 'hint',
  PROCESSING: 'hint',
  COMPLETED: 'hint',
}

type Subject = 'handle' | 'payment' | 'payout' | 'refund' | 'settlement'
const statesAbout: Record<Subject, StatusMap> = {
  handle: handleStates,
  payment: paymentStates,
  payout: payoutStates,
  refund: refundStates,
  settlement: settlementStates,
}

export function reportOf(message: JsonObject, subject: Subject, word = textIn(message.status)): StatusReport {
  const currency = textIn(message.currencyCode)
  const error = isObject(message.error) ? message.error : {}
  return {
    ...(subject === 'payout' && { kind: 'payout' as const }),
    attempt: textIn(message.merchantRefNum) || null,
    // A handle is not a payment, so its id must never serve as the reference.
    reference: subject === 'handle' ? null : textIn(message.id) || null,
    state: stateIn(statesAbout[subject], word),
    amount: fromMinorUnits(textIn(message.amount), currency),
    currency: currency || null,
    reason: cut(textIn(error.message), 200) || null,
    word: cut(`${subject === 'payment' ? '' : `${subject} `}${word}`, 40),
  }
}

const events: readonly (readonly [string, Subject])[] = [
  ['PAYMENT_HANDLE_', 'handle'],
  ['PAYMENT_', 'payment'],
  ['SA_CREDIT_', 'payout'],
  ['REFUND_', 'refund'],
  ['SETTLEMENT_', 'settlement'],
]

/** The event name decides: COMPLETED means different things for a handle and for a payment. */
export function eventOf(message: JsonObject): StatusReport {
  const name = textIn(message.eventName) || textIn(message.eventType)
  const payload = isObject(message.payload) ? message.payload : {}
  const found = events.find(([prefix]) => name.startsWith(prefix))
  if (found) return reportOf(payload, found[1], name.slice(found[0].length))
  return { ...reportOf(payload, 'handle', ''), state: 'unclear', word: cut(name, 40) }
}
