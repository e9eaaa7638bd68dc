import type { OrderToStart, PayoutToStart, Reported, ReportedState } from '../contract.ts'
import { hashOfParts, isSameSignature } from '../signing.ts'

/** Their words to ours and back. Pure. */
export type Endpoint = { id: string; currency: string; method: string }

const stateOf: Record<string, ReportedState> = {
  CREATED: 'unpaid',
  PROCESSING: 'pending',
  PENDING: 'pending',
  APPROVED: 'paid',
  DECLINED: 'declined',
  FILTERED: 'declined',
  ERROR: 'declined',
}

/** Their lengths are counted in characters as people see them. */
const cut = (text: string, charsMax: number): string => [...text].slice(0, charsMax).join('')
/** At most fifteen characters: what people put between the digits goes first. */
const phoneOf = (phone: string): string => cut(phone.replace(/[\s()-]/g, ''), 15)
/** Asked for only where addresses have one, as a code. */
const statesIn = new Set(['US', 'CA', 'AU'])

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
  return {
    merchantOrderID: attempt,
    merchantOrderDesc: cut(order.description, 128),
    orderAmount: amount,
    orderCurrency: currency,
    ...person,
    customerAddress: cut(payer.address, 128),
    customerCity: cut(payer.city, 128),
    ...(statesIn.has(payer.country) && payer.state !== null && { customerState: cut(payer.state, 3) }),
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
    customerBankAccountName: cut(payout.holder, 128),
    ...(payout.bankCode !== null && { customerBankCode: payout.bankCode }),
    callbackUrl: payout.notify,
    signature: hashOfParts([id, attempt, amount, person.customerEmail, account, secret]),
  }
}

export function statusQuery(of: { merchantId: string; attempt: string; reference: string; at: Date; secret: string }) {
  const timestamp = String(Math.floor(of.at.getTime() / 1000))
  const { merchantId: merchantID, attempt: merchantOrderID, reference: orderID } = of
  const signature = hashOfParts([merchantID, merchantOrderID, orderID, timestamp, of.secret])
  return new URLSearchParams({ merchantID, merchantOrderID, orderID, timestamp, signature }).toString()
}

/** They write numbers as text, sometimes as numbers, and nothing as null: the text form is what is signed. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

type Message = Record<string, unknown>
const signed = ['endpointID', 'orderID', 'merchantOrderID', 'status', 'amount', 'customerEmail'] as const

export function isSigned(message: Message, secret: string): boolean {
  const parts = signed.map((name) => textOf(message[name]))
  if (parts.some((part) => part === null)) return false
  return isSameSignature(message.signature, hashOfParts([...(parts as string[]), secret]))
}

const amountShape = /^\d{1,15}(\.\d{1,8})?$/

/** A notification and the answer to a question of ours say the same things. */
export function reportOf(message: Message): Reported {
  const word = textOf(message.status) ?? ''
  const amount = textOf(message.amount) ?? ''
  const known = Object.hasOwn(stateOf, word) ? stateOf[word] : undefined
  const reason = textOf(message.errorMessage) ?? ''
  return {
    attempt: textOf(message.merchantOrderID) || null,
    reference: textOf(message.orderID) || null,
    state: known ?? 'unclear',
    amount: amountShape.test(amount) ? amount : null,
    currency: textOf(message.currency) || null,
    reason: reason === '' ? null : cut(reason, 200),
    word: cut(word, 40),
  }
}
