import {
  type Answer,
  type Button,
  type Exchange,
  type Faults,
  hostedPage,
  noFaults,
  openPaymentDoor,
  type Sent,
  type SimulatedOrder,
  tell,
} from './desk.ts'

/** Where a message differs from what happened. */
export type Twist = {
  status?: string
  amount?: string
  currency?: string
  merchantId?: string
  secretKey?: string
  reference?: string
  attempt?: string
}

/** A notification as it leaves: bytes and where the proof of them stands. */
export type Message = { method?: 'GET' | 'POST'; type: string; body: string; headers?: Record<string, string> }

export type Words = { open: string; paid: string; declined: string; pending: string }

export type CounterOptions = {
  /** What stands over the page. */
  title: string
  port: number
  words: Words
  isCall(path: string): boolean
  /** Everything but the hosted page; null where there is nothing. */
  serve(exchange: Exchange): Promise<Answer | null> | Answer | null
  messageOf(order: SimulatedOrder, twist: Twist): Message
  /** Where the browser goes when the page is done. */
  returnOf(order: SimulatedOrder): Answer
  /** What happens before anybody is told that a payment was approved. */
  onPaid?(order: SimulatedOrder): Promise<void> | void
}

const usualButtons: readonly Button[] = [
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

/** One provider's counter: its orders, the page on which they are paid, and what the portal is told of them. */
export async function openCounter(options: CounterOptions) {
  const { title, words } = options
  const orders = new Map<string, SimulatedOrder>()
  let faults: Faults = { ...noFaults }

  function orderOf(attempt: string): SimulatedOrder {
    const order = orders.get(attempt)
    if (!order) throw new Error('There is no such order')
    return order
  }

  /** What happened to the money at the provider, whoever is told. */
  function set(attempt: string, state: string, reason = ''): void {
    const order = orderOf(attempt)
    order.state = state
    order.more.reason = reason
  }

  const messageFor = (attempt: string, twist: Twist = {}): Message => options.messageOf(orderOf(attempt), twist)

  async function notify(attempt: string, twist: Twist = {}): Promise<Sent | null> {
    if (faults.dropNotifications) return null
    return send(orderOf(attempt), messageFor(attempt, twist))
  }

  const send = ({ notifyUrl }: SimulatedOrder, { method = 'POST', type, body, headers }: Message): Promise<Sent> =>
    method === 'GET'
      ? tell({ url: `${notifyUrl}?${body}`, method })
      : tell({ url: notifyUrl, type, body, ...(headers && { headers }) })

  const pageOf = (order: SimulatedOrder, note = ''): Answer =>
    hostedPage(title, order, `/counter/${order.attempt}`, usualButtons, note)

  async function press(order: SimulatedOrder, does: string): Promise<Answer> {
    const { attempt } = order
    if (does === 'cancel') return { location: order.cancelUrl }
    if (does === 'decline') set(attempt, words.declined, 'Insufficient funds')
    else if (does === 'pending') set(attempt, words.pending)
    else if (does !== 'forged') {
      set(attempt, words.paid)
      await options.onPaid?.(order)
    }
    if (does === 'late') setTimeout(() => void notify(attempt), lateMs).unref()
    else if (does === 'forged') await notify(attempt, { status: words.paid, secretKey: 'not-the-secret' })
    else if (does === 'amount') await notify(attempt, { amount: `${order.amount.split('.')[0]}9` })
    else if (does === 'currency') await notify(attempt, { currency: order.currency === 'EUR' ? 'USD' : 'EUR' })
    else if (does !== 'silent') await notify(attempt)
    if (does === 'twice') await notify(attempt)
    return options.returnOf(order)
  }

  async function serve(exchange: Exchange): Promise<Answer | null> {
    const order = orders.get(/^\/counter\/([\w-]+)$/.exec(exchange.path)?.[1] ?? '')
    if (!order) return options.serve(exchange)
    if (exchange.method === 'POST') return press(order, new URLSearchParams(exchange.body).get('do') ?? '')
    return pageOf(order)
  }

  const door = await openPaymentDoor(options.port, () => faults, serve, options.isCall)
  return {
    ...door,
    orders,
    set,
    notify,
    messageFor,
    pageOf,
    orderOf,
    breakDown(change: Partial<Faults>): void {
      faults = { ...faults, ...change }
    },
    mend(): void {
      faults = { ...noFaults }
    },
  }
}
