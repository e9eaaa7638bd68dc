import { createHash, randomBytes } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** Zota as documented. It has its own signing code, independent of the portal's adapter. */
export type ZotaOptions = {
  port?: number
  merchantId: string
  secretKey: string
  endpoints: Record<string, string>
  /** The payment method of an endpoint, by number; default: cards. */
  types?: Record<string, string>
  /** The endpoints for payouts, by number. */
  payoutEndpoints?: Record<string, string>
  /** Payouts complete automatically with a webhook event after this time; absent: when a test does it. */
  payoutsAfterMs?: number
  /** Their clock, by which a query's time stamp is judged. */
  now?: () => Date
}

/** The age of a query's time stamp up to which it is answered, in seconds. */
const stampAgeMax = 300
/** The countries for which a state is required, as a code. */
const withStates = ['US', 'CA', 'AU']

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('')).digest('hex')

/** The required fields of a call, their maximum lengths, and the fields that are signed after the endpoint. */
type CallRules = { required: readonly string[]; charsMax: Record<string, number>; signed: readonly string[] }

const depositRules: CallRules = {
  required: [
    ...['merchantOrderID', 'merchantOrderDesc', 'orderAmount', 'orderCurrency', 'customerEmail', 'customerFirstName'],
    ...['customerLastName', 'customerAddress', 'customerCountryCode', 'customerCity', 'customerZipCode'],
    ...['customerPhone', 'customerIP', 'redirectUrl', 'checkoutUrl', 'signature'],
  ],
  charsMax: {
    ...{ merchantOrderID: 128, merchantOrderDesc: 128, orderAmount: 24, orderCurrency: 3, customerEmail: 50 },
    ...{ customerFirstName: 128, customerLastName: 128, customerAddress: 128, customerCountryCode: 2 },
    ...{ customerCity: 128, customerState: 3, customerZipCode: 15, customerPhone: 15, customerIP: 64 },
    ...{ redirectUrl: 255, callbackUrl: 255, checkoutUrl: 255, customParam: 128, language: 2 },
  },
  signed: ['merchantOrderID', 'orderAmount', 'customerEmail'],
}

const payoutRules: CallRules = {
  required: [
    ...['merchantOrderID', 'merchantOrderDesc', 'orderAmount', 'orderCurrency', 'customerEmail', 'customerFirstName'],
    ...['customerLastName', 'customerPhone', 'customerIP', 'customerBankAccountNumber'],
    ...['customerBankAccountName', 'signature'],
  ],
  charsMax: {
    ...depositRules.charsMax,
    ...{ customerBankAccountNumber: 64, customerBankAccountName: 128, customerBankSwiftCode: 35 },
    ...{ customerBankCode: 11, customerBankBranch: 128, customerBankAddress: 128, customerBankZipCode: 15 },
    ...{ customerBankRoutingNumber: 64, customerBankProvince: 64, customerBankArea: 64 },
  },
  signed: ['merchantOrderID', 'orderAmount', 'customerEmail', 'customerBankAccountNumber'],
}

type ZotaOverrides = Overrides & { endpointId?: string }

const words = { open: 'CREATED', paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' }

export type ZotaSimulator = Awaited<ReturnType<typeof startZotaSimulator>>

export async function startZotaSimulator({
  port = 0,
  merchantId,
  secretKey: firstSecret,
  endpoints,
  types = {},
  payoutEndpoints = {},
  payoutsAfterMs,
  now = () => new Date(),
}: ZotaOptions) {
  let secretKey = firstSecret
  let startCalls = 0
  let payoutCalls = 0
  let payoutPage: string | null = null

  const answerOk = (data: object): Answer => ({ body: JSON.stringify({ code: '200', data }) })
  const answerNo = (code: number, message: string): Answer => ({
    status: code,
    body: JSON.stringify({ code: String(code), message }),
  })

  /** Validates a call of any kind. */
  function problemOf(body: Record<string, string>, endpoint: string, currency: string | undefined, rules: CallRules) {
    if (currency === undefined) return answerNo(400, 'unknown endpoint')
    const missing = rules.required.filter((name) => typeof body[name] !== 'string' || body[name] === '')
    if (missing.length > 0) return answerNo(400, `missing: ${missing.join(', ')}`)
    const long = Object.entries(rules.charsMax).filter(([name, max]) => [...(body[name] ?? '')].length > max)
    if (long.length > 0) return answerNo(400, `too long: ${long.map(([name]) => name).join(', ')}`)
    const expected = sha256(endpoint, ...rules.signed.map((name) => body[name] ?? ''), secretKey)
    if (body.signature !== expected) return answerNo(401, 'unauthorized')
    if (body.orderCurrency !== currency) return answerNo(400, 'currency mismatch')
    if (counter.orders.has(body.merchantOrderID ?? '')) return answerNo(400, 'duplicate merchantOrderID')
    const refusal = counter.refusal()
    return refusal === null ? null : answerNo(400, refusal)
  }

  /** Stores an order under a reference of its own. */
  function keep(body: Record<string, string>, state: string, more: Record<string, string>): SimulatedOrder {
    const order: SimulatedOrder = {
      attempt: body.merchantOrderID ?? '',
      reference: randomBytes(20).toString('hex'),
      amount: body.orderAmount ?? '',
      currency: body.orderCurrency ?? '',
      notifyUrl: body.callbackUrl ?? '',
      returnUrl: body.redirectUrl ?? '',
      cancelUrl: body.checkoutUrl ?? '',
      state,
      more: { email: body.customerEmail ?? '', reason: '', ...more },
    }
    counter.orders.set(order.attempt, order)
    return order
  }

  function deposit(endpoint: string, text: string): Answer {
    startCalls += 1
    const body = readJson(text)
    if (!body) return answerNo(400, 'invalid json')
    const problem = problemOf(body, endpoint, endpoints[endpoint], depositRules)
    if (problem) return problem
    const { customerCountryCode: country = '', customerState = '' } = body
    if (withStates.includes(country) && !/^[A-Z]{2,3}$/.test(customerState))
      return answerNo(400, 'missing: customerState')
    const more = { endpoint, type: 'SALE', customParam: body.customParam ?? '' }
    const { attempt: merchantOrderID, reference: orderID } = keep(body, words.open, more)
    return answerOk({ depositUrl: `${counter.url}/pay/${orderID}/`, merchantOrderID, orderID })
  }

  function payout(endpoint: string, text: string): Answer {
    payoutCalls += 1
    const body = readJson(text)
    if (!body) return answerNo(400, 'invalid json')
    const problem = problemOf(body, endpoint, payoutEndpoints[endpoint], payoutRules)
    if (problem) return problem
    const {
      customerBankAccountNumber: account = '',
      customerBankAddress,
      customerBankArea,
      customerBankProvince,
    } = body
    const bank = [customerBankAddress, customerBankArea, customerBankProvince].filter(Boolean).join(', ')
    const more = { endpoint, type: 'PAYOUT', account, bank }
    const { attempt: merchantOrderID, reference: orderID } = keep(body, 'PROCESSING', more)
    counter.plan(merchantOrderID, words.paid, payoutsAfterMs)
    return answerOk({ merchantOrderID, orderID, ...(payoutPage !== null && { payoutUrl: payoutPage }) })
  }

  function status(query: URLSearchParams): Answer {
    const text = (name: string): string => query.get(name) ?? ''
    const expected = sha256(text('merchantID'), text('merchantOrderID'), text('orderID'), text('timestamp'), secretKey)
    if (text('merchantID') !== merchantId || text('signature') !== expected) return answerNo(401, 'unauthorized')
    const age = now().getTime() / 1000 - Number(text('timestamp'))
    if (!/^\d+$/.test(text('timestamp')) || age > stampAgeMax) return answerNo(400, 'timestamp too old')
    const order = counter.orders.get(text('merchantOrderID'))
    if (!order || (text('orderID') !== '' && text('orderID') !== order.reference))
      return answerNo(404, 'order not found')
    return answerOk(fieldsOf(order, counter.lastSentOf(order.attempt)))
  }

  function fieldsOf(order: SimulatedOrder, overrides: ZotaOverrides): Record<string, unknown> {
    const { endpoint = '', email = '', reason = '', customParam = '', type } = order.more
    const said = {
      type,
      status: overrides.status ?? order.state,
      errorMessage: reason,
      endpointID: overrides.endpointId ?? endpoint,
      processorTransactionID: order.reference.slice(0, 12),
      orderID: overrides.reference ?? order.reference,
      merchantOrderID: overrides.attempt ?? order.attempt,
      amount: overrides.amount ?? order.amount,
      currency: overrides.currency ?? order.currency,
      customerEmail: email,
      customParam,
      extraData: {},
    }
    const { endpointID, orderID, merchantOrderID, amount, customerEmail } = said
    const signature = sha256(
      ...[endpointID, orderID, merchantOrderID, said.status, amount, customerEmail, overrides.secretKey ?? secretKey],
    )
    return { ...said, signature }
  }

  const messageOf = (order: SimulatedOrder, overrides: ZotaOverrides): Message => ({
    type: 'application/json',
    body: JSON.stringify(fieldsOf(order, overrides)),
  })

  function returnOf(order: SimulatedOrder, overrides: Overrides): Answer {
    const url = new URL(order.returnUrl)
    const { reference: orderID, attempt: merchantOrderID } = order
    const state = overrides.status ?? order.state
    const said = {
      billingDescriptor: 'Zota',
      errorMessage: order.more.reason ?? '',
      merchantOrderID,
      orderID,
      signature: sha256(state, orderID, merchantOrderID, secretKey),
      status: state,
    }
    for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
    return { location: url.href }
  }

  function serve({ method, path, query, body }: Exchange): Answer | null {
    const endpoint = /^\/api\/v1\/deposit\/request\/(\d+)\/?$/.exec(path)?.[1]
    if (method === 'POST' && endpoint) return deposit(endpoint, body)
    const paying = /^\/api\/v1\/payout\/request\/(\d+)\/?$/.exec(path)?.[1]
    if (method === 'POST' && paying) return payout(paying, body)
    return /^\/api\/v1\/query\/order-status\/?$/.test(path) ? status(query) : null
  }

  const counter = await openCounter({
    title: 'Zota',
    port,
    words,
    pagePathOf: ({ reference }) => `/pay/${reference}/`,
    isCall: (path) => path.startsWith('/api/'),
    serve,
    messageOf,
    returnOf,
  })
  return {
    ...counter,
    settings: {
      merchantId,
      secretKey,
      endpoints: [
        ...Object.entries(endpoints).map(([id, currency]) => `${types[id] ?? 'local_cards'} ${currency} ${id}`),
        ...Object.entries(payoutEndpoints).map(([id, currency]) => `sd_payout ${currency} ${id}`),
      ].join('\n'),
      baseUrl: counter.url,
    },
    startCalls: () => startCalls,
    payoutCalls: () => payoutCalls,
    /** The endpoint asks members for their details on this page before it pays; null stops it. */
    askMembersAt(page: string | null): void {
      payoutPage = page
    },
    /** From now on, signatures with the previous secret are refused, and the new one signs. */
    changeSecret(secret: string): void {
      secretKey = secret
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
