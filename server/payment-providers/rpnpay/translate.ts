import { chinaTime } from '../china-time.ts'
import { type OrderToStart, PaymentProblem, type PayoutState, type PayoutToStart } from '../contract.ts'
import {
  amountIn,
  amountShape,
  cut,
  type Fields,
  type JsonObject,
  nameShape,
  type StatusMap,
  stateIn,
  textIn,
} from '../messages.ts'
import { fromMinorUnits, toMinorUnits } from '../minor-units.ts'
import { hashOfParts, isSameSignature } from '../signing.ts'
import type { StatusReport } from '../status-report.ts'

/** Maps their terms to ours and back; pure functions. */
export const currency = 'CNY'

export const fieldNames = [
  ...['version', 'sign_type', 'mid', 'order_id', 'order_amount', 'order_time', 'return_url', 'notify_url', 'bank_id'],
  ...['user_id', 'user_name'],
] as const
type FieldName = (typeof fieldNames)[number]

export type Merchant = {
  merchantId: string
  secretKey: string
  version: string
  bankId: string
  fieldOrder: readonly FieldName[]
}

const signed = (pairs: readonly (readonly [string, string])[], secret: string): string =>
  hashOfParts([[...pairs.map(([name, value]) => `${name}=${value}`), `key=${secret}`].join('|')], 'md5')

type FormField = { name: string; value: string }

/** The page hashes the fields in received order, so they are signed in their posting order. */
export function formFields(order: OrderToStart, { fieldOrder, ...merchant }: Merchant): readonly FormField[] {
  const { payer, urls } = order
  const fen = toMinorUnits(order.amount, currency)
  if (order.currency !== currency || fen === null) throw new PaymentProblem('declined', 'yuan only')
  const isSecond = merchant.version === '1.1'
  const known: Record<FieldName, string> = {
    version: merchant.version,
    sign_type: 'MD5',
    mid: merchant.merchantId,
    order_id: order.attempt,
    order_amount: fen,
    order_time: chinaTime(order.at).replace(/\D/g, ''),
    return_url: isSecond ? '' : urls.back,
    notify_url: urls.notify,
    bank_id: merchant.bankId,
    user_id: isSecond ? payer.id : '',
    user_name: isSecond ? cut(`${payer.firstName} ${payer.lastName}`.trim(), 50) : '',
  }
  const pairs = fieldOrder.map((name) => [name, known[name]] as const).filter(([, value]) => value !== '')
  // A separator inside a value would let the same signature match other fields.
  if (pairs.some(([, value]) => /[|=]/.test(value)))
    throw new PaymentProblem('declined', 'a sign that cannot be signed')
  const fields = pairs.map(([name, value]) => ({ name, value }))
  return [...fields, { name: 'signature', value: signed(pairs, merchant.secretKey) }]
}

const webhookEventShapes: readonly (readonly [string, RegExp])[] = [
  ['order_id', nameShape],
  ['order_time', /^\d{14}$/],
  ['order_amount', /^\d{1,15}$/],
  ['deal_id', nameShape],
  ['deal_time', /^\d{14}$/],
  ['pay_amount', /^\d{1,15}$/],
  ['pay_result', /^[\w-]{1,20}$/],
]
const payoutShapes: readonly (readonly [string, RegExp])[] = [
  ['RespCode', /^[\w-]{1,20}$/],
  ['WSno', nameShape],
  ['Amount', amountShape],
  ['OrderSno', nameShape],
]

/** None of these formats allows a separator, so the signed text can be split in one way only. */
const fits = (message: Fields, shapes: typeof webhookEventShapes): boolean =>
  shapes.every(([name, shape]) => shape.test(message.get(name) ?? ''))
export const hasShape = (message: Fields): boolean => fits(message, webhookEventShapes)
export const hasPayoutShape = (message: Fields): boolean => fits(message, payoutShapes)

export function isSigned(message: Fields, secret: string): boolean {
  if (secret === '') return false
  if (!hasShape(message)) return false
  const pairs = webhookEventShapes.map(([name]) => [name, message.get(name) ?? ''] as const)
  return isSameSignature(message.get('signature'), signed(pairs, secret))
}

/**
 * Their documentation names two results; the settings list those that mean declined. Any other goes to manual review.
 */
const paymentStates: StatusMap = { '1': 'pending', '3': 'paid' }

export function reportOf(message: Fields, declinedResults: readonly string[]): StatusReport {
  const said = (name: string): string => message.get(name) ?? ''
  const word = said('pay_result')
  const state = declinedResults.includes(word) ? 'declined' : stateIn(paymentStates, word)
  return {
    attempt: said('order_id') || null,
    reference: said('deal_id') || null,
    state,
    amount: fromMinorUnits(said('pay_amount'), currency),
    currency,
    reason: null,
    word: cut(word, 40),
  }
}

/** Their placeholder for an unknown bank branch, province or district. */
const unknownPlace = '无'

/** In yuan with two decimals, unlike deposits. */
export function payoutBody(payout: PayoutToStart, merchantId: string, secret: string): string {
  const { attempt, amount, bankAddress } = payout
  return JSON.stringify({
    Mid: merchantId,
    OrderSno: attempt,
    Encryption: '1',
    Frontend: '',
    Backend: payout.notify,
    Currency: '156',
    BankName: payout.bankName ?? '',
    SubBranch: bankAddress?.branch || unknownPlace,
    BankAccountName: payout.holder,
    BankCardNo: payout.account.replace(/\s/g, ''),
    Province: bankAddress?.state || unknownPlace,
    Area: bankAddress?.city || unknownPlace,
    Amount: amount,
    Sign: hashOfParts([[merchantId, attempt, amount, secret].join('|')], 'md5'),
  })
}

const payoutStates: StatusMap = { '20': 'pending', '25': 'declined', '30': 'paid', '40': 'declined', '50': 'declined' }

/** Any code except their accepted, paid and failed leaves the outcome unknown, so the payout is queried. */
export function payoutStateOf(answer: JsonObject): PayoutState {
  const code = textIn(answer.RespCode)
  const state = stateIn(payoutStates, code)
  if (state === 'declined') throw new PaymentProblem('declined', reasonOf(textIn(answer.RespMsg)) || `code ${code}`)
  if (state !== 'pending' && state !== 'paid') throw new PaymentProblem('unknown', cut(`code ${code}`, 40))
  return { state, reference: textIn(answer.WSno) || null }
}

export function isSignedPayout(message: Fields, secret: string): boolean {
  if (secret === '' || !hasPayoutShape(message)) return false
  const parts = ['RespCode', 'WSno', 'Amount'].map((name) => message.get(name) ?? '')
  return isSameSignature(message.get('Sign'), hashOfParts([[...parts, secret].join('|')], 'md5'))
}

/** Our attempt id is not covered by their signature, so the message only triggers a query. */
export const payoutHint = (message: Fields): StatusReport => ({
  kind: 'payout',
  attempt: message.get('OrderSno') || null,
  reference: null,
  state: 'hint',
  amount: null,
  currency: null,
  reason: null,
  word: cut(message.get('RespCode') ?? '', 40),
})

export function payoutQuery(
  attempt: string,
  merchantId: string,
  secret: string,
): readonly (readonly [string, string])[] {
  const asked = [
    ['mid', merchantId],
    ['orderId', attempt],
    ['start_order_time', ''],
    ['end_order_time', ''],
  ] as const
  const text = asked.map(([name, value]) => `${name}=${value}`).join('')
  return [...asked, ['sign', hashOfParts([`${text}key=${secret}`], 'md5')]]
}

const aboutSettings = /\bsign|\bkey\b|签名|验签|密钥|(merchant|\bmid\b|商户)(?!.{0,3}(order|订单))/i
const aboutOrder = /not (found|exist)|no (such )?(order|record|data)|不存在|未找到|没有|查无|无此/i

/**
 * `orderId|amount|status|order_time|signMsg`, or a sentence without bars: null if it says that they do not know the
 * order. The caller compares the order id: an answer about another payout leaves the outcome of ours unknown.
 */
export function payoutReport(text: string): StatusReport | null {
  if (!text.includes('|')) {
    if (aboutSettings.test(text)) throw new PaymentProblem('misconfigured', text)
    if (aboutOrder.test(text)) return null
    throw new PaymentProblem('unknown', text)
  }
  const [order = '', amount = '', word = ''] = text.trim().split('|')
  const attempt = order === '' ? null : order
  const [state, sum] = [stateIn(payoutStates, word), amountIn(amount)]
  const reason = state === 'declined' ? `code ${word}` : null
  return { kind: 'payout', attempt, reference: null, state, amount: sum, currency, reason, word: cut(word, 40) }
}

/** Their error texts are percent-encoded; an invalid one is omitted. */
function reasonOf(text: string): string {
  try {
    return cut(decodeURIComponent(text), 200)
  } catch {
    return ''
  }
}
