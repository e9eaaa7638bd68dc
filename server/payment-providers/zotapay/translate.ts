/** Maps their terms to ours and back; pure functions. */

import { attemptShape, type OrderToStart, type PayoutToStart } from '../contract.ts'
import { amountIn, amountShape, cut, digitsShape, type JsonObject, type StatusMap, stateIn } from '../messages.ts'
import { hashOfParts, isSameSignature } from '../signing.ts'
import type { ReportedState, StatusReport } from '../status-report.ts'
import { stateCode } from './states.ts'

export type Endpoint = { id: string; currency: string; method: string }

const stateOf: StatusMap = {
  CREATED: 'unpaid',
  PROCESSING: 'pending',
  PENDING: 'pending',
  APPROVED: 'paid',
  DECLINED: 'declined',
  FILTERED: 'declined',
  ERROR: 'declined',
}

/** The method of a payout endpoint; all others take deposits. */
export const payoutType = 'sd_payout'

/** The deposit methods and their names for members. */
export const wayNames: Readonly<Record<string, string>> = {
  local_cards: 'Bank card',
  cup: 'UnionPay',
  alipay: 'Alipay',
  wechat: 'WeChat Pay',
  mobile: 'Mobile payment',
}

/** At most fifteen characters, after removing separators: the longest numbers leave no room for the plus sign. */
const phoneOf = (phone: string): string => cut(phone.replace(/[\s()-]/g, '').replace(/^\+(?=\d{15}$)/, ''), 15)

/** Their limits count characters, not UTF-16 units. */
function personOf({ payer }: Pick<OrderToStart, 'payer'>) {
  return {
    customerEmail: cut(payer.email, 50),
    customerFirstName: cut(payer.firstName, 128),
    customerLastName: cut(payer.lastName, 128),
    customerPhone: phoneOf(payer.phone),
    customerIP: payer.ip,
    customerCountryCode: payer.country,
  }
}

export function depositBody(order: OrderToStart, { id }: Endpoint, secret: string): Record<string, string> {
  const { attempt, amount, currency, payer, urls } = order
  const person = personOf(order)
  const state = stateCode(payer.country, payer.state)
  return {
    merchantOrderID: attempt,
    merchantOrderDesc: cut(order.description, 128),
    orderAmount: amount,
    orderCurrency: currency,
    ...person,
    customerAddress: cut(payer.address, 128),
    customerCity: cut(payer.city, 128),
    ...(state !== null && { customerState: state }),
    customerZipCode: cut(payer.zip ?? '00000', 15),
    redirectUrl: urls.back,
    callbackUrl: urls.notify,
    checkoutUrl: urls.cancelled,
    customParam: payer.id,
    language: payer.language.slice(0, 2),
    signature: hashOfParts([id, attempt, amount, person.customerEmail, secret]),
  }
}

export function payoutBody(payout: PayoutToStart, { id }: Endpoint, secret: string): Record<string, string> {
  const { attempt, amount, currency, account } = payout
  const person = personOf(payout)
  return {
    merchantOrderID: attempt,
    merchantOrderDesc: cut(payout.description, 128),
    orderAmount: amount,
    orderCurrency: currency,
    ...person,
    customerBankAccountNumber: account,
    customerBankAccountName: payout.holder,
    ...(payout.bankCode !== null && { customerBankCode: payout.bankCode }),
    ...(payout.swift !== null && { customerBankSwiftCode: cut(payout.swift, 35) }),
    ...bankAddressOf(payout),
    callbackUrl: payout.notify,
    signature: hashOfParts([id, attempt, amount, person.customerEmail, account, secret]),
  }
}

/** Required for banks of some countries; unsigned. */
function bankAddressOf({ bankAddress }: PayoutToStart): Record<string, string> {
  const { street, city, state, branch, postcode, routingNumber } = bankAddress ?? {}
  return {
    ...(branch && { customerBankBranch: cut(branch, 128) }),
    ...(postcode && { customerBankZipCode: cut(postcode, 15) }),
    ...(routingNumber && { customerBankRoutingNumber: cut(routingNumber, 64) }),
    ...(street && { customerBankAddress: cut(street, 128) }),
    ...(state && { customerBankProvince: cut(state, 64) }),
    ...(city && { customerBankArea: cut(city, 64) }),
  }
}

export function statusQuery(of: { merchantId: string; attempt: string; reference: string; at: Date; secret: string }) {
  const timestamp = String(Math.floor(of.at.getTime() / 1000))
  const { merchantId: merchantID, attempt: merchantOrderID, reference: orderID } = of
  const signature = hashOfParts([merchantID, merchantOrderID, orderID, timestamp, of.secret])
  return new URLSearchParams({ merchantID, merchantOrderID, orderID, timestamp, signature }).toString()
}

/** They send numbers as text or as JSON numbers, and a missing value as null: the text form is signed. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

type Message = JsonObject
const signed = ['endpointID', 'orderID', 'merchantOrderID', 'status', 'amount', 'customerEmail'] as const

/** Their ids contain no dash and ours do, so the text signed for a page cannot be read as a message. */
const shapes: Readonly<Record<(typeof signed)[number], RegExp>> = {
  endpointID: digitsShape,
  orderID: /^[0-9A-Za-z]{1,64}$/,
  merchantOrderID: attemptShape,
  status: /^[A-Za-z_]{1,30}$/,
  amount: amountShape,
  customerEmail: /^([^\s@]{1,64}@[^\s@]{1,255})?$/,
}
export const hasShape = (message: Message): boolean =>
  signed.every((name) => shapes[name].test(textOf(message[name]) ?? '|'))

export function isSigned(message: Message, secret: string): boolean {
  const parts = signed.map((name) => textOf(message[name]))
  if (parts.some((part) => part === null)) return false
  return isSameSignature(message.signature, hashOfParts([...(parts as string[]), secret]))
}

/** An approved order of another type is other money: what came back, or what went the other way. */
function stateIf(approvedType: string, isPayout: boolean): ReportedState {
  const type = approvedType.toUpperCase()
  if (['REFUND', 'CHARGEBACK', 'REVERSAL'].includes(type)) return 'returned'
  const usual = isPayout ? type !== 'SALE' : type === '' || type === 'SALE'
  return usual ? 'paid' : 'unclear'
}

/** A webhook event and the answer to a query have the same fields. */
export function reportOf(message: Message, isPayout = false): StatusReport {
  const word = textOf(message.status) ?? ''
  const amount = textOf(message.amount) ?? ''
  const reason = textOf(message.errorMessage) ?? ''
  const type = textOf(message.type) ?? ''
  const state = stateIn(stateOf, word)
  return {
    ...(isPayout && { kind: 'payout' as const }),
    attempt: textOf(message.merchantOrderID) || null,
    reference: textOf(message.orderID) || null,
    state: state === 'paid' ? stateIf(type, isPayout) : state,
    amount: amountIn(amount),
    currency: textOf(message.currency) || null,
    reason: reason === '' ? null : cut(reason, 200),
    word: cut(word, 40),
  }
}
