import { formatAmount, isMore, readAmount } from '@atrium/contract/money/money.ts'
import { isFree, isZero } from '@atrium/contract/payments/fee.ts'
import { paidWith } from '../../../ui/money/paid-with.ts'
import { numberText, readerLanguage } from '../../../ui/text/format.ts'
import type { Offer, Provider } from './use-ways-to-pay.ts'

export const manualMethod = 'manual'

const order = Object.keys(paidWith)

/** The common name, with the provider's name beside it. A name that the brokerage chose comes first. */
export function namesOf({ app_uid, name }: Pick<Provider, 'app_uid' | 'name'>): {
  name: string
  beside: string | null
} {
  const known = paidWith[app_uid]
  if (!known) return { name, beside: null }
  return name === known.own ? { name: known.pays, beside: name } : { name, beside: known.pays }
}

/** The method used last, then by speed of crediting; the manually reviewed transfer comes last. */
export function orderMethods(providers: readonly Pick<Provider, 'app_uid'>[], last: string | null): string[] {
  const place = (uid: string): number => (order.includes(uid) ? order.indexOf(uid) : order.length)
  const methods = [
    ...providers.map(({ app_uid }) => app_uid).toSorted((left, right) => place(left) - place(right)),
    manualMethod,
  ]
  return last !== null && methods.includes(last) ? [last, ...methods.filter((method) => method !== last)] : methods
}

/** "1.9 % + 0.30 EUR", or the part that applies; null without a fee. */
export function feeText(offer: Offer): string | null {
  if (isFree(offer)) return null
  const percent = isZero(offer.fee_percent) ? [] : [`${numberText(offer.fee_percent)} %`]
  const fixed = isZero(offer.fee_fixed) ? [] : [`${money(offer.fee_fixed, offer)} ${offer.currency}`]
  return [...percent, ...fixed].join(' + ')
}

/** "20.00 – 5,000.00 USD" */
export const rangeText = (offer: Offer): string =>
  `${money(offer.amount_min, offer)} \u2013 ${money(offer.amount_max, offer)} ${offer.currency}`

const money = (amount: string, { currency }: Offer): string => formatAmount(amount, currency, readerLanguage())

/** Whether a valid amount is outside the provider's limits. */
export function isOutside(text: string, offer: Offer | null): boolean {
  const read = offer && readAmount(text, offer.currency)
  if (!read || 'problem' in read) return false
  return isMore(offer.amount_min, read.amount) || isMore(read.amount, offer.amount_max)
}

type Paid = {
  type: string
  state: string
  payment_method: string | null
  trading_account: { live_account: boolean } | null
}

/** The method of the last deposit to a live account; the transactions are newest first. */
export function lastMethod(transactions: readonly Paid[]): string | null {
  const last = transactions.find(
    ({ type, state, trading_account: account }) =>
      type === 'deposit' && account?.live_account === true && state !== 'rejected' && state !== 'cancelled',
  )
  return last ? (last.payment_method ?? manualMethod).replace(/^psp:/, '') : null
}
