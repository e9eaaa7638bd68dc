import { createHash, randomBytes } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** Ngân Lượng's checkout 3.1 and its order check, according to their guide of 2024. */
export type NganluongOptions = { port?: number; merchantId: string; password: string; receiverEmail: string }

export type NganluongSimulator = Awaited<ReturnType<typeof startNganluongSimulator>>

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const words = { open: '81', paid: '00', declined: '115', pending: '03' }
/** Codes of the check itself; all others are states of the payment after a successful check. */
const checkCodes = ['81', '114', '115']
const required = [
  ...['merchant_id', 'merchant_password', 'version', 'function', 'receiver_email', 'order_code', 'total_amount'],
  ...['payment_method', 'return_url', 'buyer_fullname', 'buyer_email', 'buyer_mobile'],
]
/** English descriptions of the codes. */
const descriptions: Record<string, string> = {
  '03': 'Sent data is not in the right format',
  '04': 'API function name not found',
  '05': 'Wrong API version',
  '06': 'Merchant code not found or not activated yet',
  '07': 'Wrong merchant password',
  '10': 'Invalid payment bill',
  '11': 'Invalid amount',
  '29': 'Token not found',
  '81': 'The order has not yet been paid',
  '99': 'Unknown error',
  '110': 'The email address is not the primary email',
  '114': 'Pending transaction',
  '115': 'Cancelled transaction',
}

export async function startNganluongSimulator({ port = 0, merchantId, password, receiverEmail }: NganluongOptions) {
  /** False data that the check returns. */
  const lies = new Map<string, Overrides>()

  const xml = (code: string, more = ''): Answer => ({
    type: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?><result><error_code>${code}</error_code>${more}<description>${descriptions[code] ?? ''}</description></result>`,
  })

  /** Both functions use one address. Fields are in a form body, or in the query as some clients send them. */
  function perform({ body, query }: Exchange): Answer {
    const fields = Object.fromEntries([...query, ...new URLSearchParams(body)])
    if (fields.merchant_id !== merchantId) return xml('06')
    if (fields.merchant_password !== md5(password)) return xml('07')
    if (fields.function === 'GetTransactionDetail') return detail(fields.token ?? '')
    if (fields.version !== '3.1') return xml('05')
    return fields.function === 'SetExpressCheckout' ? create(fields) : xml('04')
  }

  function create(fields: Record<string, string>): Answer {
    const { order_code: attempt = '', total_amount: amount = '', payment_method: method } = fields
    if (fields.receiver_email !== receiverEmail) return xml('110')
    if (!/^\d+$/.test(amount)) return xml('11')
    if (required.some((name) => !fields[name]) || (method !== 'NL' && !fields.bank_code)) return xml('99')
    if (counter.orders.has(attempt) || attempt.length > 150) return xml('10')
    if ([fields.return_url, fields.notify_url].some((url) => (url ?? '').length > 500)) return xml('121')
    if ((fields.order_description ?? '').length > 500) return xml('126')
    if (fields.cur_code !== undefined && fields.cur_code !== 'vnd') return xml('12')
    const token = `${counter.orders.size + 1}-${randomBytes(8).toString('hex')}`
    counter.orders.set(attempt, {
      attempt,
      reference: token,
      amount,
      currency: 'VND',
      notifyUrl: fields.notify_url ?? '',
      returnUrl: fields.return_url ?? '',
      cancelUrl: fields.cancel_url ?? '',
      state: words.open,
      more: { reason: '', name: fields.buyer_fullname ?? '' },
    })
    // Their example has line breaks around the URL.
    const page = `\n${counter.url}/counter/${attempt}\n`
    return xml('00', `<token>${token}</token><checkout_url>${page}</checkout_url>`)
  }

  const findByToken = (token: string): SimulatedOrder | undefined =>
    [...counter.orders.values()].find(({ reference }) => reference === token)

  /** The check's data about an order, for both versions of the call. */
  function said(order: SimulatedOrder) {
    const lie = lies.get(order.attempt) ?? {}
    const state = lie.status ?? order.state
    const code = checkCodes.includes(state) ? state : '00'
    const fields = {
      token: order.reference,
      transaction_status: code === '00' ? state : '',
      transaction_id: order.reference.slice(-6),
      receiver_email: lie.merchantId ?? receiverEmail,
      order_code: order.attempt,
      total_amount: lie.amount ?? order.amount,
      return_url: encodeURIComponent(order.returnUrl),
    }
    return { code, fields }
  }

  /** The older check, in XML. */
  function detail(token: string): Answer {
    const order = findByToken(token)
    if (!order) return xml('29')
    const { code, fields } = said(order)
    const texts = Object.entries({ ...fields, buyer_fullname: order.more.name }).map(([name, value]) => {
      return `<${name}>${value}</${name}>`
    })
    return xml(code, texts.join(''))
  }

  function check(body: string): Answer {
    const { merchant_id, token = '', checksum } = Object.fromEntries(new URLSearchParams(body))
    const answer = (error_code: string, data: object | null = null): Answer => ({
      body: JSON.stringify({ error_code, description: descriptions[error_code] ?? '', ...(data && { data }) }),
    })
    if (merchant_id !== merchantId) return answer('06')
    if (checksum !== md5(`${token}|${password}`)) return answer('03')
    const order = findByToken(token)
    if (!order) return answer('29')
    const { code, fields } = said(order)
    return answer(code, fields)
  }

  /** Unsigned. The check repeats the changed data, since the adapter trusts only the check. */
  function messageOf(order: SimulatedOrder, overrides: Overrides): Message {
    lies.set(order.attempt, overrides)
    const order_code = overrides.attempt ?? order.attempt
    const state = overrides.status ?? order.state
    const error_code = checkCodes.includes(state) ? state : state === words.paid ? '00' : '114'
    const said = { error_code, token: order.reference, order_code, order_id: order.reference.slice(-6) }
    return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(said).toString() }
  }

  function returnOf(order: SimulatedOrder): Answer {
    const url = new URL(order.returnUrl)
    const said = { error_code: order.state === words.paid ? '00' : '99', token: order.reference }
    for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
    return { location: url.href }
  }

  function serve(exchange: Exchange): Answer | null {
    const { method, path, body } = exchange
    if (method === 'POST' && path === '/checkout.api.nganluong.post.php') return perform(exchange)
    return method === 'POST' && path === '/service/order/check' ? check(body) : null
  }

  const counter = await openCounter({
    title: 'NganLuong',
    port,
    words,
    isCall: (path) => !path.startsWith('/counter/'),
    serve,
    messageOf,
    returnOf,
  })
  return {
    ...counter,
    settings: {
      ...{ merchantId, password, receiverEmail },
      createUrl: `${counter.url}/checkout.api.nganluong.post.php`,
      checkUrl: `${counter.url}/service/order/check`,
    },
  }
}
