import { createHash, randomInt } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** RPN Pay's page in yuan and its payouts, according to their other clients, with its own signing code. */
export type RpnpayOptions = {
  port?: number
  merchantId: string
  secretKey: string
  /** The page can forbid being framed. */
  refusesFrames?: boolean
  /** Payouts complete automatically after this time. */
  payoutsAfterMs?: number
}

export type RpnpaySimulator = Awaited<ReturnType<typeof startRpnpaySimulator>>

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')
const words = { open: '0', paid: '3', declined: '4', pending: '1' }
/** Maps states of payments, which tests use, to states of payouts. */
const payoutCodes: Record<string, string> = { '0': '20', '1': '20', '3': '30', '4': '25' }
const form = 'application/x-www-form-urlencoded'
const formTime = '20240701110533'

export async function startRpnpaySimulator({ port = 0, merchantId, secretKey, ...options }: RpnpayOptions) {
  let refusal: string | null = null
  let payoutCalls = 0

  function pay(body: string): Answer {
    const no = (text: string, status = 403): Answer => ({ status, type: 'text/html', body: text })
    const posted = [...new URLSearchParams(body)]
    const fields = Object.fromEntries(posted)
    // In the order in which they arrived.
    const proven = posted.filter(([name, value]) => name !== 'signature' && value !== '')
    const text = [...proven.map(([name, value]) => `${name}=${value}`), `key=${secretKey}`].join('|')
    if (fields.signature !== md5(text)) return no('405 wrong signature')
    if (fields.mid !== merchantId) return no('404 unknown merchant')
    if (body.includes(encodeURIComponent(secretKey))) return no('The key came through the browser')
    const { order_id: attempt = '', order_amount: fen = '', order_time = '' } = fields
    if (!/^[1-9]\d*$/.test(fen)) return no('The amount is not in fen', 400)
    if (!/^\d{14}$/.test(order_time)) return no('No time', 400)
    const returnUrl = fields.return_url ?? ''
    const order = counter.orders.get(attempt) ?? {
      attempt,
      reference: `RD${randomInt(10 ** 11, 10 ** 12)}`,
      amount: fenToYuan(fen),
      currency: 'CNY',
      notifyUrl: fields.notify_url ?? '',
      returnUrl,
      cancelUrl: `${returnUrl}?ppp_status=CANCEL`,
      state: words.open,
      more: { reason: '', order_time },
    }
    counter.orders.set(attempt, order)
    return framed(counter.pageOf(order))
  }

  const framed = (answer: Answer): Answer =>
    options.refusesFrames ? { ...answer, headers: { 'x-frame-options': 'DENY' } } : answer

  const sign = (pairs: Record<string, string>, secret: string): string =>
    md5([...Object.entries(pairs).map(([name, value]) => `${name}=${value}`), `key=${secret}`].join('|'))

  function depositMessage(order: SimulatedOrder, overrides: Overrides): Record<string, string> {
    const said = {
      order_id: overrides.attempt ?? order.attempt,
      order_time: order.more.order_time ?? '',
      order_amount: yuanToFen(order.amount),
      deal_id: overrides.reference ?? order.reference,
      deal_time: formTime,
      pay_amount: yuanToFen(overrides.amount ?? order.amount),
      pay_result: overrides.status ?? order.state,
    }
    return { ...said, signature: sign(said, overrides.secretKey ?? secretKey) }
  }

  function payoutMessage(order: SimulatedOrder, overrides: Overrides): Record<string, string> {
    const state = overrides.status ?? order.state
    const [RespCode, WSno, Amount] = [payoutCodes[state] ?? state, overrides.reference ?? order.reference, order.amount]
    const Sign = md5([RespCode, WSno, Amount, overrides.secretKey ?? secretKey].join('|'))
    return {
      RespCode,
      RespMsg: order.more.reason ?? '',
      WSno,
      OrderSno: overrides.attempt ?? order.attempt,
      Amount,
      Sign,
    }
  }

  function messageOf(order: SimulatedOrder, overrides: Overrides): Message {
    const said = order.more.card === undefined ? depositMessage(order, overrides) : payoutMessage(order, overrides)
    return { type: form, body: new URLSearchParams(said).toString() }
  }

  function payout(body: string): Answer {
    payoutCalls += 1
    const answer = (RespCode: string, RespMsg: string, WSno = ''): Answer => ({
      body: JSON.stringify({ RespCode, RespMsg: encodeURIComponent(RespMsg), WSno }),
    })
    const asked = JSON.parse(new URLSearchParams(body).get('Withdrawal') ?? '{}') as Record<string, string>
    const { Mid = '', OrderSno = '', Amount = '', BankName = '', BankCardNo = '', BankAccountName = '' } = asked
    if (Mid !== merchantId || asked.Sign !== md5([Mid, OrderSno, Amount, secretKey].join('|')))
      return answer('11', 'sign')
    if (!/^\d+\.\d\d$/.test(Amount) || asked.Currency !== '156') return answer('25', 'amount or currency')
    if (BankName === '' || BankCardNo === '' || BankAccountName === '') return answer('25', 'bank details')
    if (refusal !== null) return answer('25', refusal)
    if (counter.orders.has(OrderSno)) return answer('12', 'known already')
    const reference = `WS${randomInt(10 ** 9, 10 ** 10)}`
    counter.orders.set(OrderSno, {
      attempt: OrderSno,
      reference,
      amount: Amount,
      currency: 'CNY',
      notifyUrl: asked.Backend ?? '',
      returnUrl: '',
      cancelUrl: '',
      state: words.pending,
      more: { reason: '', card: BankCardNo },
    })
    counter.plan(OrderSno, words.paid, options.payoutsAfterMs)
    return answer('20', 'accepted', reference)
  }

  function query(body: string): Answer {
    const { mid = '', orderId = '', sign: given } = Object.fromEntries(new URLSearchParams(body))
    const text = (line: string): Answer => ({ type: 'text/plain', body: line })
    if (given !== md5(`mid=${mid}orderId=${orderId}start_order_time=end_order_time=key=${secretKey}`))
      return text('sign error')
    const order = counter.orders.get(orderId)
    if (!order) return text('order not found')
    const said = [order.attempt, order.amount, payoutCodes[order.state] ?? order.state, formTime]
    return text([...said, md5([...said, secretKey].join('|'))].join('|'))
  }

  function serve({ method, path, body }: Exchange): Answer | null {
    if (method !== 'POST') return null
    if (path === '/pay.php') return pay(body)
    if (path === '/payout.php') return payout(body)
    return path === '/query.php' ? query(body) : null
  }

  const counter = await openCounter({
    title: 'RPN Pay',
    port,
    words,
    isCall: (path) => path === '/payout.php' || path === '/query.php',
    serve,
    messageOf,
    returnOf: (order) => ({ location: order.returnUrl }),
  })
  return {
    ...counter,
    settings: {
      ...{ merchantId, secretKey, payUrl: `${counter.url}/pay.php`, payoutUrl: `${counter.url}/payout.php` },
      queryUrl: `${counter.url}/query.php?r=payment/payout`,
    },
    payoutCalls: () => payoutCalls,
    refuseStarts(message: string | null): void {
      refusal = message
    },
    mend(): void {
      counter.mend()
      refusal = null
    },
  }
}

const fenToYuan = (fen: string): string => {
  const digits = fen.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const yuanToFen = (yuan: string): string => {
  const [whole = '0', coins = ''] = yuan.split('.')
  return `${whole}${coins.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '')
}
