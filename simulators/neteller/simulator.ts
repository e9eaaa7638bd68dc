import { createHmac, randomUUID } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** The Paysafe Payments API with a Neteller wallet, as documented, with its own webhook signing code. */
export type NetellerOptions = {
  port?: number
  username: string
  password: string
  webhookKey: string
  accountId: string
  /** Payouts complete automatically after this time. */
  payoutsAfterMs?: number
}

export type NetellerSimulator = Awaited<ReturnType<typeof startNetellerSimulator>>

/** States of a payment handle; all others are states of a payment. */
const handleStates = ['INITIATED', 'PAYABLE', 'EXPIRED']
const words = { open: 'INITIATED', paid: 'PAYABLE', declined: 'FAILED', pending: 'PENDING' }

/** The system that a message is from: `live` or `test`. */
type NetellerOverrides = Overrides & { mode?: string }

type Body = Record<string, unknown>
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Decimals of the minor units: orders store the amount in decimal notation. */
const decimals = (currency: string): number => (currency === 'JPY' ? 0 : 2)
const unitsOf = (amount: string, currency: string): string => {
  const [whole = '', coins = ''] = amount.split('.')
  return (whole + coins.padEnd(decimals(currency), '0')).replace(/^0+(?=\d)/, '')
}
const amountOf = (units: string, currency: string): string => {
  if (decimals(currency) === 0) return units
  const digits = units.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export async function startNetellerSimulator(options: NetellerOptions) {
  let payoutCalls = 0
  const tokens = new Map<string, string>()
  const taken: string[] = []
  const payoutLinks = new Map<string, string>()
  let isNextLost = false
  let captureRefusal: string | null = null
  let captureCalls = 0
  let busyPayouts = 0

  const no = (status: number, code: string, message: string): Answer => ({
    status,
    body: JSON.stringify({ error: { code, message } }),
  })
  const ok = (body: object): Answer => ({ body: JSON.stringify(body) })
  /** The API refuses amounts that are strings or fractions. */
  const unitsIn = (raw: string): string | undefined => /"amount"\s*:\s*(\d+)\s*[,}]/.exec(raw)?.[1]

  function openHandle(raw: string, body: Body): Answer {
    const [attempt, currency] = [text(body.merchantRefNum), text(body.currencyCode)]
    const units = unitsIn(raw)
    const wallet = text((body.neteller as Body | undefined)?.consumerId)
    const links = (body.returnLinks ?? []) as { rel: string; href: string }[]
    const link = (rel: string): string => links.find((each) => each.rel === rel)?.href ?? ''
    if (!units || !attempt || !currency || !wallet || link('default') === '' || body.paymentType !== 'NETELLER')
      return no(400, '5068', 'Field error(s)')
    if (counter.orders.has(attempt) || tokens.has(attempt)) return no(409, '5031', 'Duplicate merchantRefNum')
    const paymentHandleToken = `PH${randomUUID().replaceAll('-', '')}`
    tokens.set(attempt, paymentHandleToken)
    const handle = { id: randomUUID(), paymentHandleToken, merchantRefNum: attempt, timeToLiveSeconds: 899 }
    if (body.transactionType === 'STANDALONE_CREDIT') {
      payoutLinks.set(attempt, link('default'))
      return ok({ ...handle, status: 'PAYABLE', action: 'NONE' })
    }
    counter.orders.set(attempt, {
      attempt,
      reference: randomUUID(),
      amount: amountOf(units, currency),
      currency,
      // Configured at Paysafe and not sent with a payment; derived from the return address, which is on the portal.
      notifyUrl: new URL('/callbacks/payments/neteller', link('default')).href,
      returnUrl: link('on_completed'),
      cancelUrl: link('on_cancelled'),
      state: words.open,
      more: { reason: '', wallet },
    })
    const redirect = { rel: 'redirect_payment', href: `${counter.url}/counter/${attempt}` }
    return ok({ ...handle, status: words.open, action: 'REDIRECT', links: [redirect] })
  }

  function pay(raw: string, body: Body): Answer {
    const order = counter.orders.get(text(body.merchantRefNum))
    if (!order || tokens.get(order.attempt) !== body.paymentHandleToken) return no(400, '5040', 'No such handle')
    if (!handleStates.includes(order.state)) return no(409, '5031', 'Duplicate merchantRefNum')
    if (order.state !== 'PAYABLE') return no(402, '3028', 'The handle is not payable')
    captureCalls += 1
    if (captureRefusal !== null) return no(402, '3009', captureRefusal)
    if (unitsIn(raw) !== unitsOf(order.amount, order.currency) || body.currencyCode !== order.currency)
      return no(400, '5068', 'Another amount than that of the handle')
    order.state = 'COMPLETED'
    taken.push(order.attempt)
    if (isNextLost) {
      isNextLost = false
      return { status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' }
    }
    return ok(paymentOf(order, {}))
  }

  function credit(raw: string, body: Body): Answer {
    payoutCalls += 1
    const attempt = text(body.merchantRefNum)
    const currency = text(body.currencyCode)
    if (tokens.get(attempt) !== body.paymentHandleToken) return no(400, '5040', 'No such handle')
    if (busyPayouts > 0) {
      busyPayouts -= 1
      return no(429, '1200', 'The API call has been denied as it has exceeded the permissible call rate limit.')
    }
    if (counter.orders.has(attempt)) return no(409, '5031', 'Duplicate merchantRefNum')
    const refusal = counter.refusal()
    if (refusal !== null) return no(402, '3022', refusal)
    const order: SimulatedOrder = {
      attempt,
      reference: randomUUID(),
      amount: amountOf(unitsIn(raw) ?? '', currency),
      currency,
      notifyUrl: new URL('/callbacks/payments/neteller', payoutLinks.get(attempt)).href,
      returnUrl: '',
      cancelUrl: '',
      state: 'PENDING',
      more: { reason: '', type: 'payout' },
    }
    counter.orders.set(attempt, order)
    counter.plan(attempt, 'COMPLETED', options.payoutsAfterMs)
    return ok(paymentOf(order, {}))
  }

  function paymentOf(order: SimulatedOrder, overrides: Overrides): Body {
    const currency = overrides.currency ?? order.currency
    return {
      id: overrides.reference ?? order.reference,
      merchantRefNum: overrides.attempt ?? order.attempt,
      accountId: overrides.merchantId ?? options.accountId,
      amount: Number(unitsOf(overrides.amount ?? order.amount, currency)),
      currencyCode: currency,
      status: overrides.status ?? order.state,
      paymentType: 'NETELLER',
      ...(order.more.reason && { error: { code: '3009', message: order.more.reason } }),
    }
  }

  /** The JSON has tabs, spaces and a field order that a rebuilt body would not have. */
  function messageOf(order: SimulatedOrder, overrides: NetellerOverrides): Message {
    const isOther = overrides.amount !== undefined || overrides.currency !== undefined
    const state = overrides.status ?? (isOther ? 'COMPLETED' : order.state)
    const isHandle = handleStates.includes(state)
    const subject = order.more.type === 'payout' ? 'SA_CREDIT' : isHandle ? 'PAYMENT_HANDLE' : 'PAYMENT'
    const eventName = `${subject}_${state}`
    const payload = paymentOf(order, { ...overrides, status: state })
    const { mode = 'live' } = overrides
    const said = { payload, mode, eventName, eventType: eventName, attemptNumber: '1', resourceId: payload.id }
    const body = JSON.stringify(said, null, '\t').replaceAll('": ', '" :')
    const signature = createHmac('sha256', overrides.secretKey ?? options.webhookKey)
      .update(body)
      .digest('base64')
    return { type: 'application/json', body, headers: { signature } }
  }

  function list(path: string, attempt: string): Answer {
    const found = counter.orders.get(attempt)
    const isPayout = found?.more.type === 'payout'
    if (path.endsWith('/standalonecredits'))
      return ok({ meta: {}, standaloneCredits: found && isPayout ? [paymentOf(found, {})] : [] })
    const order = isPayout ? undefined : found
    const isHandle = order !== undefined && handleStates.includes(order.state)
    if (path.endsWith('/payments')) return ok({ meta: {}, payments: order && !isHandle ? [paymentOf(order, {})] : [] })
    if (!order && payoutLinks.has(attempt)) {
      const status = isPayout ? 'COMPLETED' : 'PAYABLE'
      return ok({
        meta: {},
        paymentHandles: [{ merchantRefNum: attempt, status, paymentHandleToken: tokens.get(attempt) }],
      })
    }
    if (!order) return ok({ meta: {}, paymentHandles: [] })
    const status = isHandle ? order.state : 'COMPLETED'
    const handle = { ...paymentOf(order, { status }), paymentHandleToken: tokens.get(attempt) }
    return ok({ meta: {}, paymentHandles: [handle] })
  }

  function serve({ method, path, query, body: raw, headers }: Exchange): Answer | null {
    const expected = Buffer.from(`${options.username}:${options.password}`).toString('base64')
    if (headers.authorization !== `Basic ${expected}`) return no(401, '5279', 'The credentials are invalid')
    if (method === 'GET') return list(path, query.get('merchantRefNum') ?? '')
    const body = JSON.parse(raw) as Body
    if (path.endsWith('/paymenthandles')) return openHandle(raw, body)
    if (path.endsWith('/payments')) return pay(raw, body)
    return path.endsWith('/standalonecredits') ? credit(raw, body) : null
  }

  const counter = await openCounter<NetellerOverrides>({
    title: 'Neteller',
    port: options.port ?? 0,
    words,
    isCall: (path) => path.startsWith('/paymenthub/'),
    serve,
    messageOf,
    returnOf: (order) => ({ location: order.state === words.declined ? order.cancelUrl : order.returnUrl }),
  })
  const { username, password, webhookKey, accountId } = options
  return {
    ...counter,
    payoutCalls: () => payoutCalls,
    /** Accepts the next payment and drops the answer. */
    loseNextPayment(): void {
      isNextLost = true
    },
    /** Refuses every capture, while the handle stays payable; null stops it. */
    refuseCaptures(message: string | null): void {
      captureRefusal = message
    },
    captureCalls: () => captureCalls,
    /** Refuses that many payouts by its rate limit, after their handles were issued. */
    limitPayouts(times: number): void {
      busyPayouts = times
    },
    paymentCalls: (attempt: string): number => taken.filter((each) => each === attempt).length,
    settings: { username, password, webhookKey, accountId, baseUrl: `${counter.url}/paymenthub/v1` },
  }
}
