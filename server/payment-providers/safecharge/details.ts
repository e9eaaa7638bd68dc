import { isSame, toScale } from '@atrium/contract/money/money.ts'
import { brandNamed } from '@atrium/contract/validators/cards.ts'
import {
  amountShape,
  currencyShape,
  cut,
  digitsShape,
  isObject,
  type JsonObject,
  nameShape,
  textIn,
} from '../messages.ts'
import type { StatusReport } from '../status-report.ts'
import { isTimeout, payoutWordOf, reportOf } from './translate.ts'

/** Reads the answer of `getTransactionDetails` at every path that accounts are known to use; pure functions. */

/** The vendor's documented path first; the others are used by older accounts and other connectors. */
const places = {
  attempt: ['clientUniqueId', 'transactionDetails.clientUniqueId'],
  status: ['transactionDetails.transactionStatus'],
  type: ['transactionDetails.transactionType'],
  transactionId: ['transactionDetails.transactionId', 'transactionId'],
  pageId: ['transactionDetails.pppTransactionId'],
  amount: [
    'transactionDetails.processedAmount',
    'partialApproval.requestedAmount',
    'transactionDetails.partialApproval.requestedAmount',
    'transactionDetails.amount',
  ],
  currency: [
    'transactionDetails.processedCurrency',
    'partialApproval.requestedCurrency',
    'transactionDetails.partialApproval.requestedCurrency',
    'transactionDetails.currency',
  ],
  wayToPay: [
    'paymentOption.userPaymentOptionId',
    'transactionDetails.paymentOption.userPaymentOptionId',
    'transactionDetails.userPaymentOptionId',
  ],
  cardMake: ['paymentOption.card.cardBrand', 'paymentOption.card.brand'],
  reason: ['transactionDetails.gwErrorReason', 'gwErrorReason'],
} as const

const shapes: Partial<Record<keyof typeof places, RegExp>> = {
  attempt: nameShape,
  transactionId: digitsShape,
  pageId: digitsShape,
  amount: amountShape,
  currency: currencyShape,
  wayToPay: digitsShape,
}

function valueAt(answer: JsonObject, place: string): string {
  const value = place.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), answer)
  return textIn(value)
}

/** One value from all of its paths. Null when it is absent, has an invalid format, or two paths differ. */
export function detail(answer: JsonObject, name: keyof typeof places): string | null {
  const found = places[name].map((place) => valueAt(answer, place)).filter((value) => value !== '')
  const [first] = found
  if (first === undefined || found.some((value) => shapes[name]?.test(value) === false)) return null
  const isAgreed = found.every((value) => (name === 'amount' ? isSame(value, first) : value === first))
  return isAgreed ? first : null
}

/** The known reference if the answer contains it; otherwise the id of the payment page, or of the transaction. */
function referenceOf(answer: JsonObject, known: string | null): string | null {
  const [pageId, transactionId] = [detail(answer, 'pageId'), detail(answer, 'transactionId')]
  return known !== null && [pageId, transactionId].includes(known) ? known : (pageId ?? transactionId)
}

/** Names an order only when every path that has one agrees; the caller compares it. */
export function depositReport(answer: JsonObject, reference: string | null): StatusReport {
  const card = brandNamed(detail(answer, 'cardMake') ?? '')
  const reported = reportOf({
    attempt: detail(answer, 'attempt') ?? '',
    reference: referenceOf(answer, reference) ?? '',
    word: detail(answer, 'status') ?? '',
    kind: detail(answer, 'type') ?? '',
    amount: detail(answer, 'amount') ?? '',
    currency: detail(answer, 'currency') ?? '',
    reason: detail(answer, 'reason') ?? '',
  })
  return card ? { ...reported, card } : reported
}

const codesOf = (answer: JsonObject): string[] =>
  ['errCode', 'gwErrorCode', 'gwExtendedErrorCode'].flatMap((name) => [
    valueAt(answer, name),
    valueAt(answer, `transactionDetails.${name}`),
  ])

/** The same for a payout. A timeout of the bank is no outcome: it is queried again, and later by staff. */
export function payoutReport(answer: JsonObject): StatusReport {
  const word = detail(answer, 'status') ?? ''
  const said = payoutWordOf(word) ?? 'unclear'
  const [amount, currency, reason] = [detail(answer, 'amount'), detail(answer, 'currency'), detail(answer, 'reason')]
  return {
    kind: 'payout',
    attempt: detail(answer, 'attempt'),
    reference: detail(answer, 'transactionId'),
    state: said === 'declined' && isTimeout(codesOf(answer)) ? 'pending' : said,
    amount: amount !== null && currency !== null ? toScale(amount, currency) : amount,
    currency,
    reason: reason === null ? null : cut(reason, 200),
    word: cut(word, 40),
  }
}
