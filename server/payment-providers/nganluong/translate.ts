import { createHash } from 'node:crypto'
import { type OrderToStart, PaymentProblem } from '../contract.ts'
import { amountIn, cut, type JsonObject, stateIn, textIn, type Words } from '../messages.ts'
import { toMinorUnits } from '../minor-units.ts'
import type { Reported } from '../reported.ts'

/** Their words to ours and back. Pure. */
export type Merchant = {
  merchantId: string
  password: string
  receiverEmail: string
  method: string
  bankCode: string
}

export const currency = 'VND'
/** Minutes for which their page takes a payment: as long as an order of ours is open. */
const minutesMax = '60'

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')

/** In this call the password goes hashed; in the check it is hashed together with the token. */
export const passwordHash = (password: string): string => md5(password)
export const checkSum = (token: string, password: string): string => md5(`${token}|${password}`)

/** Letters of every language are fine, signs that steer a terminal are not. */
const plain = (text: string, charsMax: number): string => cut(text.replace(/\p{Cc}/gu, ' ').trim(), charsMax)

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
    ['order_description', plain(order.description, 500)],
    ['return_url', urls.back],
    ['cancel_url', urls.cancelled],
    ['notify_url', urls.notify],
    ['time_limit', minutesMax],
    ['buyer_fullname', plain(`${payer.firstName} ${payer.lastName}`, 100)],
    ['buyer_email', payer.email],
    ['buyer_mobile', payer.phone.replace(/\D/g, '')],
    ['buyer_address', plain(payer.address, 200)],
    ['cur_code', 'vnd'],
    ['lang_code', payer.language.startsWith('vi') ? 'vi' : 'en'],
  ]
  return fields.filter(([, value]) => value !== '')
}

/** Codes of the check, and of the payment where the check went well. Only two zeros and two zeros mean paid. */
const checkLabels: Words = { '81': 'unpaid', '114': 'pending', '115': 'declined' }
const paymentLabels: Words = {
  '00': 'paid',
  // Older contracts read the next two the other way round; both wait.
  '01': 'pending',
  '02': 'pending',
  '03': 'pending',
}

export type Asked = { attempt: string; token: string; receiverEmail: string }

/** Their answer about one token of ours. What does not name our order and our account says nothing about it. */
export function reportOf(code: string, data: JsonObject, { attempt, token, receiverEmail }: Asked): Reported {
  const status = textIn(data.transaction_status)
  const state = code === '00' ? stateIn(paymentLabels, status) : stateIn(checkLabels, code)
  const isOurs =
    textIn(data.order_code) === attempt &&
    textIn(data.token) === token &&
    textIn(data.receiver_email).toLowerCase() === receiverEmail.toLowerCase()
  return {
    // Money that they do not say is ours is for a person; a code without an order says nothing of one.
    attempt: state === 'paid' && !isOurs ? null : attempt,
    reference: token,
    state,
    amount: amountIn(textIn(data.total_amount)),
    currency,
    reason: null,
    word: cut(`${code} ${status}`.trim(), 40),
  }
}
