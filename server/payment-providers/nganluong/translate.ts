import { createHash } from 'node:crypto'
import { type OrderToStart, PaymentProblem } from '../contract.ts'
import { amountIn, cut, type JsonObject, type StatusMap, stateIn, textIn } from '../messages.ts'
import { toMinorUnits } from '../minor-units.ts'
import type { StatusReport } from '../status-report.ts'

/** Maps their terms to ours and back; pure functions. */
export type Merchant = {
  merchantId: string
  password: string
  receiverEmail: string
  method: string
  bankCode: string
}

export const currency = 'VND'
/** Minutes until their page expires, the same as our order's life. */
const minutesMax = '60'

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')

/** The create call sends the password hashed; the check call hashes it together with the token. */
export const passwordHash = (password: string): string => md5(password)
export const checkSum = (token: string, password: string): string => md5(`${token}|${password}`)

/** Allows letters of every script and removes control characters. */
const printable = (text: string, charsMax: number): string => cut(text.replace(/\p{Cc}/gu, ' ').trim(), charsMax)

export function orderFields(order: OrderToStart, merchant: Merchant): readonly (readonly [string, string])[] {
  const amount = toMinorUnits(order.amount, currency)
  if (order.currency !== currency || amount === null) throw new PaymentProblem('declined', 'whole dong only')
  const { payer, urls } = order
  const fields: [string, string][] = [
    ['merchant_id', merchant.merchantId],
    ['merchant_password', passwordHash(merchant.password)],
    ['version', '3.1'],
    ['function', 'SetExpressCheckout'],
    ['receiver_email', merchant.receiverEmail],
    ['order_code', order.attempt],
    ['total_amount', amount],
    ['payment_method', merchant.method],
    ['bank_code', merchant.bankCode],
    ['order_description', printable(order.description, 500)],
    ['return_url', urls.back],
    ['cancel_url', urls.cancelled],
    ['notify_url', urls.notify],
    ['time_limit', minutesMax],
    ['buyer_fullname', printable(`${payer.firstName} ${payer.lastName}`, 100)],
    ['buyer_email', payer.email],
    ['buyer_mobile', payer.phone.replace(/\D/g, '')],
    ['buyer_address', printable(payer.address, 200)],
    ['cur_code', 'vnd'],
    ['lang_code', payer.language.startsWith('vi') ? 'vi' : 'en'],
  ]
  return fields.filter(([, value]) => value !== '')
}

/** Result codes of the check and, after a successful check, of the payment. Only 00 and 00 mean paid. */
const checkStates: StatusMap = { '81': 'unpaid', '114': 'pending', '115': 'declined' }
const paymentStates: StatusMap = {
  '00': 'paid',
  // Older contracts swap the next two; both are pending.
  '01': 'pending',
  '02': 'pending',
  '03': 'pending',
}

export type Asked = { attempt: string; token: string; receiverEmail: string }

/** The check of one of our tokens. An answer without our order and account says nothing about the order. */
export function reportOf(code: string, data: JsonObject, { attempt, token, receiverEmail }: Asked): StatusReport {
  const status = textIn(data.transaction_status)
  const state = code === '00' ? stateIn(paymentStates, status) : stateIn(checkStates, code)
  const isOurs =
    textIn(data.order_code) === attempt &&
    textIn(data.token) === token &&
    textIn(data.receiver_email).toLowerCase() === receiverEmail.toLowerCase()
  return {
    // A payment that does not name our order goes to manual review; other codes contain no order to compare.
    attempt: state === 'paid' && !isOurs ? null : attempt,
    reference: token,
    state,
    amount: amountIn(textIn(data.total_amount)),
    currency,
    reason: null,
    word: cut(`${code} ${status}`.trim(), 40),
  }
}
