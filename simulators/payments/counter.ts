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
  account?: string
}

/** A notification as it leaves: bytes and where the proof of them stands. */
export type Message = { method?: 'GET' | 'POST'; type: string; body: string; headers?: Record<string, string> }

export type Words = { open: string; paid: string; declined: string; pending: string }

/** What a button does where it is not one of the usual ones, or does not do what it usually does. */
export type Press<Own extends Twist> = {
  /** To the money. */
  happen(order: SimulatedOrder): void
  /** To what is told of it. */
  twist?(order: SimulatedOrder): Own
  /** What its member sees then; without it the browser goes back to the portal. */
  answer?(order: SimulatedOrder): Answer
}

export type CounterOptions<Own extends Twist> = {
  /** What stands over the page. */
  title: string
  port: number
  words: Words
  /** Where the page of an order is, for those whose addresses are known. */
  pagePathOf?(order: SimulatedOrder): string
  /** What the page says of an order beside its price. */
  noteOf?(order: SimulatedOrder): string
  buttons?: readonly Button[]
  presses?: Record<string, Press<Own>>
  isCall(path: string): boolean
  /** Everything but the hosted page; null where there is nothing. */
  serve(exchange: Exchange): Promise<Answer | null> | Answer | null
  messageOf(order: SimulatedOrder, twist: Own | Twist): Message
  /** Where the browser goes when the page is done. The twist is that of a message that nobody there has signed. */
  returnOf(order: SimulatedOrder, twist: Twist): Answer
  /** What else follows from what happened to the money. */
  onSet?(order: SimulatedOrder): void
  /** What happens before anybody is told that a payment was approved. */
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

/** One provider's counter: its orders, the page on which they are paid, and what the portal is told of them. */
export async function openCounter<Own extends Twist = Twist>(options: CounterOptions<Own>) {
  const { title, words, pagePathOf = ({ attempt }) => `/counter/${attempt}`, noteOf = () => '' } = options
  const orders = new Map<string, SimulatedOrder>()
  const told = new Map<string, Own | Twist>()
  const planned = new Map<string, NodeJS.Timeout>()
  const forged: Twist = { status: words.paid, secretKey: 'not-the-secret' }
  let faults: Faults = { ...noFaults }
  let refusal: string | null = null

  function orderOf(attempt: string): SimulatedOrder {
    const order = orders.get(attempt)
    if (!order) throw new Error('There is no such order')
    return order
  }

  /** What happened to the money at the provider, whoever is told. */
  function set(attempt: string, state: string, reason = ''): void {
    const order = orderOf(attempt)
    clearTimeout(planned.get(attempt))
    order.state = state
    order.more.reason = reason
    told.delete(attempt)
    options.onSet?.(order)
  }

  /** Happens and is told of by itself, unless somebody does something to the order before. */
  function plan(attempt: string, state: string, afterMs: number | undefined): void {
    if (afterMs === undefined) return
    const happen = (): void => {
      set(attempt, state)
      void notify(attempt)
    }
    planned.set(attempt, setTimeout(happen, afterMs).unref())
  }

  const messageFor = (attempt: string, twist: Own | Twist = {}): Message => options.messageOf(orderOf(attempt), twist)

  async function notify(attempt: string, twist: Own | Twist = {}): Promise<Sent | null> {
    // What it tells it also answers, unless somebody else has said it, or it was said of another order.
    if (!twist.secretKey && !twist.attempt && !twist.merchantId && !('endpointId' in twist)) told.set(attempt, twist)
    if (faults.dropNotifications) return null
    return send(orderOf(attempt), messageFor(attempt, twist))
  }

  const send = ({ notifyUrl }: SimulatedOrder, { method = 'POST', type, body, headers }: Message): Promise<Sent> =>
    method === 'GET'
      ? tell({ url: `${notifyUrl}?${body}`, method })
      : tell({ url: notifyUrl, type, body, ...(headers && { headers }) })

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
    else if (does !== 'silent') await notify(attempt, own?.twist?.(order) ?? usualTwist(order, does))
    if (does === 'twice') await notify(attempt)
    return own?.answer?.(order) ?? options.returnOf(order, does === 'forged' ? forged : {})
  }

  function usualTwist({ amount, currency }: SimulatedOrder, does: string): Twist {
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

  const door = await openPaymentDoor(options.port, () => faults, serve, options.isCall)
  return {
    ...door,
    orders,
    set,
    plan,
    notify,
    messageFor,
    /** What it answers about an order when it is asked: what it has told last, where that differs from what happened. */
    toldOf: (attempt: string): Own | Twist => told.get(attempt) ?? {},
    /** The address that a member's browser comes back to. */
    returnTo: (attempt: string): string => options.returnOf(orderOf(attempt), {}).location ?? '',
    notificationOf: (attempt: string, twist: Own | Twist = {}): string => messageFor(attempt, twist).body,
    pageOf,
    orderOf,
    /** What the provider says to whatever it is asked for; null while it takes it. */
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
