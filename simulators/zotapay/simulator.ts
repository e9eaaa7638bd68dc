import { createHash, randomBytes } from 'node:crypto'
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

/** Zota as its documents describe it. It computes every signature by itself and knows nothing of the portal's adapter. */
export type ZotaOptions = {
  port?: number
  merchantId: string
  secretKey: string
  endpoints: Record<string, string>
  /** What members pay with at an endpoint, by number; missing: cards. */
  types?: Record<string, string>
  /** Those that pay out, by number. */
  payoutEndpoints?: Record<string, string>
  /** Payouts are made and told of by themselves after so long; missing: when a test says so. */
  payoutsAfterMs?: number
}

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('')).digest('hex')

const required = [
  ...['merchantOrderID', 'merchantOrderDesc', 'orderAmount', 'orderCurrency', 'customerEmail', 'customerFirstName'],
  ...['customerLastName', 'customerAddress', 'customerCountryCode', 'customerCity', 'customerZipCode', 'customerPhone'],
  ...['customerIP', 'redirectUrl', 'checkoutUrl', 'signature'],
]
const charsMax: Record<string, number> = {
  ...{ merchantOrderID: 128, merchantOrderDesc: 128, orderAmount: 24, orderCurrency: 3, customerEmail: 50 },
  ...{ customerFirstName: 128, customerLastName: 128, customerAddress: 128, customerCountryCode: 2, customerCity: 128 },
  ...{ customerState: 3, customerZipCode: 15, customerPhone: 15, customerIP: 64, redirectUrl: 255, callbackUrl: 255 },
}

const requiredOfPayouts = [
  ...['merchantOrderID', 'merchantOrderDesc', 'orderAmount', 'orderCurrency', 'customerEmail', 'customerFirstName'],
  ...['customerLastName', 'customerPhone', 'customerIP', 'customerCountryCode', 'customerBankAccountNumber'],
  ...['customerBankAccountName', 'signature'],
]
const payoutCharsMax: Record<string, number> = {
  ...{ ...charsMax, customerBankAccountNumber: 64, customerBankAccountName: 128, customerBankSwiftCode: 35 },
}

export type Twist = {
  status?: string
  amount?: string
  currency?: string
  endpointId?: string
  secretKey?: string
  reference?: string
  attempt?: string
  signature?: unknown
}

export type ZotaSimulator = Awaited<ReturnType<typeof startZotaSimulator>>

export async function startZotaSimulator({
  port = 0,
  merchantId,
  secretKey,
  endpoints,
  types = {},
  payoutEndpoints = {},
  payoutsAfterMs,
}: ZotaOptions) {
  const orders = new Map<string, SimulatedOrder>()
  let faults: Faults = { ...noFaults }
  let refusal: string | null = null
  let startCalls = 0
  let payoutCalls = 0

  const answerOk = (data: object): Answer => ({ body: JSON.stringify({ code: '200', data }) })
  const answerNo = (code: number, message: string): Answer => ({
    status: code,
    body: JSON.stringify({ code: String(code), message }),
  })

  function deposit(endpoint: string, text: string): Answer {
    startCalls += 1
    const body = readJson(text)
    if (!body) return answerNo(400, 'invalid json')
    if (endpoints[endpoint] === undefined) return answerNo(400, 'unknown endpoint')
    const missing = required.filter((name) => typeof body[name] !== 'string' || body[name] === '')
    if (missing.length > 0) return answerNo(400, `missing: ${missing.join(', ')}`)
    const long = Object.entries(charsMax).filter(([name, max]) => [...(body[name] ?? '')].length > max)
    if (long.length > 0) return answerNo(400, `too long: ${long.map(([name]) => name).join(', ')}`)
    const text0 = (name: string): string => body[name] ?? ''
    const expected = sha256(endpoint, text0('merchantOrderID'), text0('orderAmount'), text0('customerEmail'), secretKey)
    if (text0('signature') !== expected) return answerNo(401, 'unauthorized')
    if (text0('orderCurrency') !== endpoints[endpoint]) return answerNo(400, 'currency mismatch')
    if (orders.has(text0('merchantOrderID'))) return answerNo(400, 'duplicate merchantOrderID')
    if (refusal !== null) return answerNo(400, refusal)
    const order: SimulatedOrder = {
      attempt: text0('merchantOrderID'),
      reference: randomBytes(20).toString('hex'),
      amount: text0('orderAmount'),
      currency: text0('orderCurrency'),
      notifyUrl: text0('callbackUrl'),
      returnUrl: text0('redirectUrl'),
      cancelUrl: text0('checkoutUrl'),
      state: 'CREATED',
      more: { endpoint, email: text0('customerEmail'), customParam: text0('customParam'), error: '' },
    }
    orders.set(order.attempt, order)
    const { attempt: merchantOrderID, reference: orderID } = order
    return answerOk({ depositUrl: `${door.url}/pay/${order.reference}/`, merchantOrderID, orderID })
  }

  function payout(endpoint: string, text: string): Answer {
    payoutCalls += 1
    const body = readJson(text)
    if (!body) return answerNo(400, 'invalid json')
    if (payoutEndpoints[endpoint] === undefined) return answerNo(400, 'unknown endpoint')
    const missing = requiredOfPayouts.filter((name) => typeof body[name] !== 'string' || body[name] === '')
    if (missing.length > 0) return answerNo(400, `missing: ${missing.join(', ')}`)
    const long = Object.entries(payoutCharsMax).filter(([name, max]) => [...(body[name] ?? '')].length > max)
    if (long.length > 0) return answerNo(400, `too long: ${long.map(([name]) => name).join(', ')}`)
    const said = (name: string): string => body[name] ?? ''
    const signed = ['merchantOrderID', 'orderAmount', 'customerEmail', 'customerBankAccountNumber'].map(said)
    if (said('signature') !== sha256(endpoint, ...signed, secretKey)) return answerNo(401, 'unauthorized')
    if (said('orderCurrency') !== payoutEndpoints[endpoint]) return answerNo(400, 'currency mismatch')
    if (orders.has(said('merchantOrderID'))) return answerNo(400, 'duplicate merchantOrderID')
    if (refusal !== null) return answerNo(400, refusal)
    const order: SimulatedOrder = {
      attempt: said('merchantOrderID'),
      reference: randomBytes(20).toString('hex'),
      amount: said('orderAmount'),
      currency: said('orderCurrency'),
      notifyUrl: said('callbackUrl'),
      returnUrl: '',
      cancelUrl: '',
      state: 'PROCESSING',
      more: {
        endpoint,
        type: 'PAYOUT',
        email: said('customerEmail'),
        error: '',
        account: said('customerBankAccountNumber'),
      },
    }
    orders.set(order.attempt, order)
    if (payoutsAfterMs !== undefined) {
      const make = async (): Promise<void> => {
        set(order.attempt, 'APPROVED')
        await notify(order.attempt)
      }
      setTimeout(() => void make(), payoutsAfterMs).unref()
    }
    return answerOk({ merchantOrderID: order.attempt, orderID: order.reference })
  }

  function status(query: URLSearchParams): Answer {
    const text = (name: string): string => query.get(name) ?? ''
    const expected = sha256(text('merchantID'), text('merchantOrderID'), text('orderID'), text('timestamp'), secretKey)
    if (text('merchantID') !== merchantId || text('signature') !== expected) return answerNo(401, 'unauthorized')
    const order = orders.get(text('merchantOrderID'))
    if (!order || (text('orderID') !== '' && text('orderID') !== order.reference))
      return answerNo(404, 'order not found')
    return answerOk(messageOf(order, {}))
  }

  function messageOf(order: SimulatedOrder, twist: Twist): Record<string, unknown> {
    const { endpoint = '', email = '', error = '', customParam = '' } = order.more
    const said = {
      type: order.more.type ?? 'SALE',
      status: twist.status ?? order.state,
      errorMessage: error,
      endpointID: twist.endpointId ?? endpoint,
      processorTransactionID: order.reference.slice(0, 12),
      orderID: twist.reference ?? order.reference,
      merchantOrderID: twist.attempt ?? order.attempt,
      amount: twist.amount ?? order.amount,
      currency: twist.currency ?? order.currency,
      customerEmail: email,
      customParam,
      extraData: {},
    }
    const { endpointID, orderID, merchantOrderID, amount, customerEmail } = said
    const signature = sha256(
      endpointID,
      orderID,
      merchantOrderID,
      said.status,
      amount,
      customerEmail,
      twist.secretKey ?? secretKey,
    )
    return { ...said, signature: 'signature' in twist ? twist.signature : signature }
  }

  /** The bytes of a notification about an order, in whatever twisted form. */
  function notificationOf(attempt: string, twist: Twist = {}): string {
    return JSON.stringify(messageOf(orderOf(attempt), twist))
  }

  async function notify(attempt: string, twist: Twist = {}): Promise<Sent | null> {
    if (faults.dropNotifications) return null
    const { notifyUrl: url } = orderOf(attempt)
    return tell({ url, type: 'application/json', body: notificationOf(attempt, twist) })
  }

  function orderOf(attempt: string): SimulatedOrder {
    const order = orders.get(attempt)
    if (!order) throw new Error('There is no such order')
    return order
  }

  /** What happened to the money at the provider, whoever is told. */
  function set(attempt: string, state: string, error = ''): void {
    const order = orderOf(attempt)
    order.state = state
    order.more.error = error
  }

  function returnOf(order: SimulatedOrder, state = order.state): Answer {
    const url = new URL(order.returnUrl)
    const { reference: orderID, attempt: merchantOrderID } = order
    const signature = sha256(state, orderID, merchantOrderID, secretKey)
    const said = {
      billingDescriptor: 'Zota',
      errorMessage: order.more.error ?? '',
      merchantOrderID,
      orderID,
      signature,
      status: state,
    }
    for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
    return { location: url.href }
  }

  const buttons = [
    { does: 'approve', label: 'Approve', isMain: true },
    { does: 'decline', label: 'Decline' },
    { does: 'cancel', label: 'Cancel' },
    { does: 'twice', label: 'Approve, notify twice' },
    { does: 'late', label: 'Approve, notify 20 seconds late' },
    { does: 'silent', label: 'Approve, never notify' },
    { does: 'pending', label: 'Pending' },
    { does: 'forged', label: 'Notify with a wrong signature' },
    { does: 'amount', label: 'Approve a wrong amount' },
    { does: 'currency', label: 'Approve in a wrong currency' },
  ]

  async function press(order: SimulatedOrder, does: string): Promise<Answer> {
    const { attempt } = order
    if (does === 'cancel') return { location: order.cancelUrl }
    if (does === 'decline') set(attempt, 'DECLINED', 'Insufficient funds')
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
    return returnOf(order, does === 'forged' ? 'APPROVED' : order.state)
  }

  async function serve({ method, path, query, body }: Exchange): Promise<Answer | null> {
    const endpoint = /^\/api\/v1\/deposit\/request\/(\d+)\/$/.exec(path)?.[1]
    if (method === 'POST' && endpoint) return deposit(endpoint, body)
    const paying = /^\/api\/v1\/payout\/request\/(\d+)\/$/.exec(path)?.[1]
    if (method === 'POST' && paying) return payout(paying, body)
    if (path === '/api/v1/query/order-status/') return status(query)
    const reference = /^\/pay\/([0-9a-f]{40})\/$/.exec(path)?.[1]
    const order = [...orders.values()].find((each) => each.reference === reference)
    if (!order) return null
    return method === 'POST'
      ? press(order, new URLSearchParams(body).get('do') ?? '')
      : hostedPage('Zota', order, path, buttons)
  }

  const door = await openPaymentDoor(
    port,
    () => faults,
    serve,
    (path) => path.startsWith('/api/'),
  )
  return {
    ...door,
    orders,
    set,
    notify,
    notificationOf,
    settings: {
      merchantId,
      secretKey,
      endpoints: [
        ...Object.entries(endpoints).map(([id, currency]) => `${types[id] ?? 'local_cards'} ${currency} ${id}`),
        ...Object.entries(payoutEndpoints).map(([id, currency]) => `sd_payout ${currency} ${id}`),
      ].join('\n'),
      baseUrl: door.url,
    },
    startCalls: () => startCalls,
    payoutCalls: () => payoutCalls,
    breakDown(change: Partial<Faults>): void {
      faults = { ...faults, ...change }
    },
    refuseStarts(message: string | null): void {
      refusal = message
    },
    mend(): void {
      faults = { ...noFaults }
      refusal = null
    },
  }
}

function readJson(text: string): Record<string, string> | null {
  try {
    return JSON.parse(text) as Record<string, string>
  } catch {
    return null
  }
}
