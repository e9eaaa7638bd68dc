import { createHash, randomInt } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** A page that accepts signed fields and sends a signed message back, by the default signing recipe of the settings. */
export type VirtualpayOptions = {
  port?: number
  merchantId: string
  secretKey: string
  /** The separator between the signed values of a webhook event; default: none. */
  separator?: string
}

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('')).digest('base64')
const words = { open: 'open', paid: 'approved', declined: 'declined', pending: 'pending' }

export async function startVirtualpaySimulator({ port = 0, merchantId, secretKey, separator = '' }: VirtualpayOptions) {
  function open(body: string): Answer {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const { REQUESTID: attempt = '', MID = '', AMOUNT: amount = '', CURRENCY: currency = '', CHECKSUM } = fields
    const no = (text: string): Answer => ({ status: 403, type: 'text/html', body: text })
    if (sha256(attempt, MID, amount, currency, secretKey) !== CHECKSUM) return no('Invalid checksum')
    if (MID !== merchantId) return no('Unknown merchant')
    if (body.includes(encodeURIComponent(secretKey))) return no('The secret came through the browser')
    const returnUrl = fields.REDIRECT_URL ?? ''
    const order = counter.orders.get(attempt) ?? {
      attempt,
      reference: `VP${randomInt(10 ** 12, 10 ** 14)}`,
      amount,
      currency,
      notifyUrl: fields.TIMEOUT_URL ?? '',
      returnUrl,
      cancelUrl: `${returnUrl}?ppp_status=CANCEL`,
      state: words.open,
      more: { reason: '' },
    }
    counter.orders.set(attempt, order)
    return counter.pageOf(order)
  }

  function messageOf(order: SimulatedOrder, overrides: Overrides): Message {
    const said = {
      requestID: overrides.attempt ?? order.attempt,
      merchantID: overrides.merchantId ?? merchantId,
      transactionID: overrides.reference ?? order.reference,
      amount: overrides.amount ?? order.amount,
      currency: overrides.currency ?? order.currency,
      status: overrides.status ?? order.state,
      message: order.more.reason ?? '',
    }
    const { requestID, merchantID, transactionID, amount, currency, status } = said
    const parts = [requestID, merchantID, transactionID, amount, currency, status, overrides.secretKey ?? secretKey]
    return { type: 'application/json', body: JSON.stringify({ ...said, checksum: sha256(parts.join(separator)) }) }
  }

  const serve = ({ method, path, body }: Exchange): Answer | null =>
    method === 'POST' && path === '/hosted' ? open(body) : null

  const counter = await openCounter({
    title: 'VirtualPay',
    port,
    words,
    isCall: () => false,
    serve,
    messageOf,
    returnOf: (order) => ({ location: order.returnUrl }),
  })
  const signed = ['order', 'merchant', 'reference', 'amount', 'currency', 'status', 'secret'].map((name) => `{${name}}`)
  const messageSignature = signed.join(separator)
  return { ...counter, settings: { merchantId, secretKey, actionUrl: `${counter.url}/hosted`, messageSignature } }
}
