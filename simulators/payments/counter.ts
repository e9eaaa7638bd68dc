import {
  type Answer,
  type Button,
  type Exchange,
  type Faults,
  hostedPage,
  noFaults,
  openPaymentEndpoint,
  type Sent,
  type SimulatedOrder,
  sendWebhook,
} from './desk.ts'

/** Deviations of a message from the order. */
export type Overrides = {
  status?: string
  amount?: string
  currency?: string
  merchantId?: string
  secretKey?: string
  reference?: string
  attempt?: string
  account?: string
  /** Their time of the payment, of providers that send one instead of a reference. */
  time?: string
}

/** A webhook event as sent: body and headers, which contain the signature. */
export type Message = { method?: 'GET' | 'POST'; type: string; body: string; headers?: Record<string, string> }

export type Words = { open: string; paid: string; declined: string; pending: string }

/** A custom button, or another effect of a usual one. */
export type Press<Own extends Overrides> = {
  /** Changes the state of the order. */
  happen(order: SimulatedOrder): void
  /** Changes the webhook event. */
  overrides?(order: SimulatedOrder): Own
  /** The page that the member sees next; default: a redirect to the portal. */
  answer?(order: SimulatedOrder): Answer
}

export type CounterOptions<Own extends Overrides> = {
  /** The title of the page. */
  title: string
  port: number
  words: Words
  /** The path of an order's page, for providers with a fixed one. */
  pagePathOf?(order: SimulatedOrder): string
  /** A note on the page beside the price. */
  noteOf?(order: SimulatedOrder): string
  buttons?: readonly Button[]
  presses?: Record<string, Press<Own>>
  isCall(path: string): boolean
  /** Handles all paths except the hosted page; null for an unknown path. */
  serve(exchange: Exchange): Promise<Answer | null> | Answer | null
  messageOf(order: SimulatedOrder, overrides: Own | Overrides): Message
  /** The redirect after the page. The overrides are those of a message with a wrong signature. */
  returnOf(order: SimulatedOrder, overrides: Overrides): Answer
  /** Called after a change of the state. */
  onSet?(order: SimulatedOrder): void
  /** Called before the webhook event of an approved payment. */
  onPaid?(order: SimulatedOrder): Promise<void> | void
}

export const usualButtons: readonly Button[] = [
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

const lateMs = 20_000

/** Opens a simulated provider: its orders, its payment page, and its webhook events to the portal. */
export async function openCounter<Own extends Overrides = Overrides>(options: CounterOptions<Own>) {
  const { title, words, pagePathOf = ({ attempt }) => `/counter/${attempt}`, noteOf = () => '' } = options
  const orders = new Map<string, SimulatedOrder>()
  const lastSent = new Map<string, Own | Overrides>()
  const planned = new Map<string, NodeJS.Timeout>()
  const forged: Overrides = { status: words.paid, secretKey: 'not-the-secret' }
  let faults: Faults = { ...noFaults }
  let refusal: string | null = null

  function orderOf(attempt: string): SimulatedOrder {
    const order = orders.get(attempt)
    if (!order) throw new Error('There is no such order')
    return order
  }

  /** Sets the state of an order without a webhook event. */
  function set(attempt: string, state: string, reason = ''): void {
    const order = orderOf(attempt)
    clearTimeout(planned.get(attempt))
    order.state = state
    order.more.reason = reason
    lastSent.delete(attempt)
    options.onSet?.(order)
  }

  /** Sets the state and notifies after a delay, unless the order changes before. */
  function plan(attempt: string, state: string, afterMs: number | undefined): void {
    if (afterMs === undefined) return
    const happen = (): void => {
      set(attempt, state)
      void notify(attempt)
    }
    planned.set(attempt, setTimeout(happen, afterMs).unref())
  }

  const messageFor = (attempt: string, overrides: Own | Overrides = {}): Message =>
    options.messageOf(orderOf(attempt), overrides)

  async function notify(attempt: string, overrides: Own | Overrides = {}): Promise<Sent | null> {
    // A later query gives the same data, unless the message was forged or about another order.
    if (!overrides.secretKey && !overrides.attempt && !overrides.merchantId && !('endpointId' in overrides))
      lastSent.set(attempt, overrides)
    if (faults.dropWebhookEvents) return null
    return send(orderOf(attempt), messageFor(attempt, overrides))
  }

  const send = ({ notifyUrl }: SimulatedOrder, { method = 'POST', type, body, headers }: Message): Promise<Sent> =>
    method === 'GET'
      ? sendWebhook({ url: `${notifyUrl}?${body}`, method })
      : sendWebhook({ url: notifyUrl, type, body, ...(headers && { headers }) })

  const pageOf = (order: SimulatedOrder, note = noteOf(order)): Answer =>
    hostedPage(title, order, pagePathOf(order), options.buttons ?? usualButtons, note)

  async function press(order: SimulatedOrder, does: string): Promise<Answer> {
    const { attempt } = order
    clearTimeout(planned.get(attempt))
    if (does === 'cancel') return { location: order.cancelUrl }
    const own = options.presses?.[does]
    if (own) own.happen(order)
    else if (does === 'decline') set(attempt, words.declined, 'Insufficient funds')
    else if (does === 'pending') set(attempt, words.pending)
    else if (does !== 'forged') {
      set(attempt, words.paid)
      await options.onPaid?.(order)
    }
    if (does === 'late') setTimeout(() => void notify(attempt), lateMs).unref()
    else if (does !== 'silent') await notify(attempt, own?.overrides?.(order) ?? usualOverrides(order, does))
    if (does === 'twice') await notify(attempt)
    return own?.answer?.(order) ?? options.returnOf(order, does === 'forged' ? forged : {})
  }

  function usualOverrides({ amount, currency }: SimulatedOrder, does: string): Overrides {
    if (does === 'forged') return forged
    if (does === 'amount') return { amount: amount.replace(/^\d+/, '$&9') }
    return does === 'currency' ? { currency: currency === 'EUR' ? 'USD' : 'EUR' } : {}
  }

  async function serve(exchange: Exchange): Promise<Answer | null> {
    const isPage = !options.isCall(exchange.path)
    const order = isPage ? [...orders.values()].find((each) => pagePathOf(each) === exchange.path) : undefined
    if (!order) return options.serve(exchange)
    if (exchange.method === 'POST') return press(order, new URLSearchParams(exchange.body).get('do') ?? '')
    return pageOf(order)
  }

  const server = await openPaymentEndpoint(options.port, () => faults, serve, options.isCall)
  return {
    ...server,
    orders,
    set,
    plan,
    notify,
    messageFor,
    /** The data for queries about an order: that of the last webhook event, where it differs from the order. */
    lastSentOf: (attempt: string): Own | Overrides => lastSent.get(attempt) ?? {},
    /** The return address for the member's browser. */
    returnTo: (attempt: string): string => options.returnOf(orderOf(attempt), {}).location ?? '',
    webhookEventOf: (attempt: string, overrides: Own | Overrides = {}): string => messageFor(attempt, overrides).body,
    pageOf,
    orderOf,
    /** The provider's answer to every new order; null if it accepts orders. */
    refusal: () => refusal,
    refuseStarts(message: string | null): void {
      refusal = message
    },
    breakDown(change: Partial<Faults>): void {
      faults = { ...faults, ...change }
    },
    mend(): void {
      faults = { ...noFaults }
      refusal = null
    },
  }
}
