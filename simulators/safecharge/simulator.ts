import { createHash, randomInt } from 'node:crypto'
import {
  type Answer,
  type Exchange,
  type Faults,
  hostedPage,
  noFaults,
  openPaymentDoor,
  type Sent,
  type SimulatedOrder,
  tell,
} from '../payments/desk.ts'

/** SafeCharge's hosted page as its documents describe it, with every checksum computed here. */
export type SafechargeOptions = { port?: number; merchantId: string; siteId: string; secretKey: string }

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('')).digest('hex')

export type Twist = {
  status?: string
  type?: string
  amount?: string
  currency?: string
  merchantId?: string
  secretKey?: string
  reference?: string
  attempt?: string
  checksum?: string | null
  /** How the message travels: both are account settings. */
  by?: 'GET' | 'POST'
}

type PayoutCall = Record<
  | 'merchantId'
  | 'merchantSiteId'
  | 'clientRequestId'
  | 'clientUniqueId'
  | 'amount'
  | 'currency'
  | 'timeStamp'
  | 'checksum',
  string
> & { userPaymentOption: { userPaymentOptionId: string }; urlDetails: { notificationUrl: string } }

export type SafechargeSimulator = Awaited<ReturnType<typeof startSafechargeSimulator>>

export async function startSafechargeSimulator({ port = 0, merchantId, siteId, secretKey }: SafechargeOptions) {
  const orders = new Map<string, SimulatedOrder>()
  let faults: Faults = { ...noFaults }
  let refusal: string | null = null
  let payoutCalls = 0

  /** The page takes a form whose checksum is over the values in the order in which they came. */
  function open(body: string): Answer {
    const posted = [...new URLSearchParams(body)]
    const fields = Object.fromEntries(posted)
    const values = posted.filter(([name]) => name !== 'checksum').map(([, value]) => value)
    const encoded = posted
      .filter(([name]) => name !== 'checksum')
      .map(([name, value]) => (name.endsWith('_url') ? encodeURIComponent(value) : value))
    const isSigned = [values, encoded].some((each) => sha256(secretKey, ...each) === fields.checksum)
    if (!isSigned) return { status: 403, type: 'text/html', body: 'Invalid checksum' }
    if (fields.merchant_id !== merchantId || fields.merchant_site_id !== siteId)
      return { status: 403, type: 'text/html', body: 'Unknown merchant' }
    if (fields.total_amount !== fields.item_amount_1 || fields.item_quantity_1 !== '1')
      return { status: 400, type: 'text/html', body: 'The items are not the total' }
    const attempt = fields.merchant_unique_id ?? ''
    const order = orders.get(attempt) ?? {
      attempt,
      reference: String(randomInt(10 ** 12, 10 ** 14)),
      amount: fields.total_amount ?? '',
      currency: fields.currency ?? '',
      notifyUrl: fields.notify_url ?? '',
      returnUrl: fields.success_url ?? '',
      cancelUrl: fields.back_url ?? '',
      state: 'OPEN',
      more: { type: 'Sale', reason: '' },
    }
    orders.set(attempt, order)
    return hostedPage('SafeCharge', order, `/ppp/pay/${order.reference}`, buttons)
  }

  function messageOf(order: SimulatedOrder, twist: Twist): URLSearchParams {
    const status = twist.status ?? order.state
    const said = {
      ppp_status: status === 'APPROVED' ? 'OK' : status === 'PENDING' ? 'PENDING' : 'FAIL',
      Status: status,
      PPP_TransactionID: twist.reference ?? order.reference,
      TransactionID: `9${order.reference}`,
      merchant_id: twist.merchantId ?? merchantId,
      merchant_site_id: siteId,
      merchant_unique_id: twist.attempt ?? order.attempt,
      totalAmount: twist.amount ?? order.amount,
      currency: twist.currency ?? order.currency,
      transactionType: twist.type ?? order.more.type ?? 'Sale',
      message: order.more.reason ?? '',
      Reason: order.more.reason ?? '',
      ReasonCode: '0',
      ErrCode: status === 'APPROVED' ? '0' : '-1',
      ExErrCode: '0',
      responseTimeStamp: '2026-11-21.11:05:00',
      productId: '',
    }
    const { totalAmount, currency, responseTimeStamp, PPP_TransactionID, Status, productId } = said
    const checksum = sha256(
      ...[twist.secretKey ?? secretKey, totalAmount, currency, responseTimeStamp, PPP_TransactionID, Status, productId],
    )
    const message = new URLSearchParams(said)
    if (twist.checksum !== null) message.set('advanceResponseChecksum', twist.checksum ?? checksum)
    return message
  }

  const notificationOf = (attempt: string, twist: Twist = {}): string => messageOf(orderOf(attempt), twist).toString()

  async function notify(attempt: string, twist: Twist = {}): Promise<Sent | null> {
    if (faults.dropNotifications) return null
    const { notifyUrl: url } = orderOf(attempt)
    const body = notificationOf(attempt, twist)
    if (twist.by === 'GET') return tell({ url: `${url}?${body}`, method: 'GET' })
    return tell({ url, type: 'application/x-www-form-urlencoded', body })
  }

  function orderOf(attempt: string): SimulatedOrder {
    const order = orders.get(attempt)
    if (!order) throw new Error('There is no such order')
    return order
  }

  function set(attempt: string, state: string, reason = '', type = orderOf(attempt).more.type ?? 'Sale'): void {
    const order = orderOf(attempt)
    order.state = state
    order.more = { type, reason }
  }

  const buttons = [
    { does: 'approve', label: 'Approve', isMain: true },
    { does: 'decline', label: 'Decline' },
    { does: 'cancel', label: 'Cancel' },
    { does: 'again', label: 'Decline, then try again here' },
    { does: 'twice', label: 'Approve, notify twice' },
    { does: 'late', label: 'Approve, notify 20 seconds late' },
    { does: 'silent', label: 'Approve, never notify' },
    { does: 'pending', label: 'Pending' },
    { does: 'forged', label: 'Notify with a wrong signature' },
    { does: 'amount', label: 'Approve a wrong amount' },
    { does: 'currency', label: 'Approve in a wrong currency' },
  ]

  async function press(order: SimulatedOrder, path: string, does: string): Promise<Answer> {
    const { attempt } = order
    if (does === 'cancel') return { location: order.cancelUrl }
    if (does === 'decline' || does === 'again') set(attempt, 'DECLINED', 'Insufficient funds')
    else if (does === 'pending') set(attempt, 'PENDING')
    else if (does !== 'forged') set(attempt, 'APPROVED')
    if (does === 'late') {
      const timer = setTimeout(() => void notify(attempt), 20_000)
      timer.unref()
    } else if (does === 'forged') await notify(attempt, { status: 'APPROVED', secretKey: 'not-the-secret' })
    else if (does === 'amount') await notify(attempt, { amount: `${order.amount.split('.')[0]}9.99` })
    else if (does === 'currency') await notify(attempt, { currency: order.currency === 'EUR' ? 'USD' : 'EUR' })
    else if (does !== 'silent') await notify(attempt)
    if (does === 'twice') await notify(attempt)
    if (does === 'again')
      return hostedPage('SafeCharge', order, path, buttons, 'Your card was declined. Try another one.')
    const url = new URL(order.returnUrl)
    const message = messageOf(order, does === 'forged' ? { status: 'APPROVED', secretKey: 'not-the-secret' } : {})
    for (const [name, value] of message) url.searchParams.set(name, value)
    return { location: url.href }
  }

  /** Money goes to what its member paid with before, which they know by its number. */
  function payout(body: PayoutCall, failed: (errCode: number, reason: string) => Answer): Answer {
    payoutCalls += 1
    const { merchantSiteId, clientRequestId, clientUniqueId: attempt, amount, currency, timeStamp } = body
    const parts = [body.merchantId, merchantSiteId, clientRequestId, amount, currency, timeStamp, secretKey]
    if (sha256(...parts) !== body.checksum) return failed(1001, 'Invalid checksum')
    const option = body.userPaymentOption.userPaymentOptionId
    const paidWith = [...orders.values()].find(
      ({ reference, state }) => `7${reference}` === option && state === 'APPROVED',
    )
    if (!paidWith) return failed(1023, 'Unknown payment option')
    if (orders.has(attempt)) return failed(1019, 'Duplicate clientUniqueId')
    const reference = String(randomInt(10 ** 12, 10 ** 14))
    const state = refusal === null ? 'PENDING' : 'DECLINED'
    const more = { type: 'Credit', reason: refusal ?? '' }
    const urls = { notifyUrl: body.urlDetails.notificationUrl, returnUrl: '', cancelUrl: '' }
    orders.set(attempt, { attempt, reference, amount, currency, state, ...urls, more })
    const said = { transactionStatus: state, transactionId: `9${reference}`, gwErrorReason: more.reason }
    return { body: JSON.stringify({ status: 'SUCCESS', errCode: 0, reason: '', ...said }) }
  }

  function rest(name: string, text: string): Answer {
    const body = JSON.parse(text) as Record<string, string>
    const { merchantSiteId = '', clientUniqueId, clientRequestId, timeStamp = '', checksum } = body
    const failed = (errCode: number, reason: string): Answer => ({
      body: JSON.stringify({ status: 'ERROR', errCode, reason }),
    })
    const subject = clientUniqueId ?? clientRequestId ?? ''
    if (name === 'payout') return payout(JSON.parse(text) as PayoutCall, failed)
    if (sha256(body.merchantId ?? '', merchantSiteId, subject, timeStamp, secretKey) !== checksum)
      return failed(1001, 'Invalid checksum')
    if (name === 'getSessionToken') return { body: JSON.stringify({ status: 'SUCCESS', sessionToken: 'token' }) }
    const order = orders.get(subject)
    if (!order || order.state === 'OPEN') return failed(9146, 'No transaction details returned for the provided ID.')
    const transactionDetails = {
      clientUniqueId: order.attempt,
      pppTransactionId: order.reference,
      transactionStatus: order.state,
      transactionType: order.more.type,
      amount: order.amount,
      currency: order.currency,
      gwErrorReason: order.more.reason,
      transactionId: `9${order.reference}`,
      userPaymentOptionId: order.more.type === 'Credit' ? undefined : `7${order.reference}`,
    }
    return { body: JSON.stringify({ status: 'SUCCESS', errCode: 0, reason: '', transactionDetails }) }
  }

  async function serve({ method, path, body, query }: Exchange): Promise<Answer | null> {
    if (path === '/ppp/purchase.do') return open(method === 'GET' ? query.toString() : body)
    const name = /^\/ppp\/api\/v1\/(\w+)\.do$/.exec(path)?.[1]
    if (name && method === 'POST') return rest(name, body)
    const reference = /^\/ppp\/pay\/(\d+)$/.exec(path)?.[1]
    const order = [...orders.values()].find((each) => each.reference === reference)
    return order ? press(order, path, new URLSearchParams(body).get('do') ?? '') : null
  }

  const door = await openPaymentDoor(
    port,
    () => faults,
    serve,
    (path) => path.startsWith('/ppp/api/'),
  )
  return {
    ...door,
    orders,
    set,
    notify,
    notificationOf,
    /** What a member's browser does with the form. */
    async post(fields: readonly { name: string; value: string }[]): Promise<number> {
      const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]))
      return (await fetch(`${door.url}/ppp/purchase.do`, { method: 'POST', body })).status
    },
    settings: {
      merchantId,
      siteId,
      secretKey,
      pageUrl: `${door.url}/ppp/purchase.do`,
      restUrl: `${door.url}/ppp/api/v1`,
    },
    breakDown(change: Partial<Faults>): void {
      faults = { ...faults, ...change }
    },
    payoutCalls: () => payoutCalls,
    refuseStarts(message: string | null): void {
      refusal = message
    },
    mend(): void {
      faults = { ...noFaults }
      refusal = null
    },
  }
}
