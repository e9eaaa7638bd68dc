import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Button, Exchange, SimulatedOrder } from '../payments/desk.ts'
import { makeAddress } from './addresses.ts'
import { amountText, inCoin, isTakable, rates, ratesAnswer, units } from './rates.ts'

/** CoinPayments as documented. It has its own signing code, independent of the portal's adapter. */
export type CoinpaymentsOptions = {
  port?: number
  merchantId: string
  publicKey: string
  privateKey: string
  ipnSecret: string
  /** Seconds until a payment request expires. */
  timeoutSeconds?: number
  /** Payouts complete automatically after this time. */
  payoutsAfterMs?: number
  /** Coins are detected automatically after this time, and confirmed after the same time again. */
  coinsAfterMs?: number
}

const sha512 = (message: string, key: string): string => createHmac('sha512', key).update(message).digest('hex')

type CoinOverrides = Overrides & {
  /** The received coin. */
  coin?: string
  asked?: string
  received?: string
  /** Null: no HMAC header. */
  hmac?: string | null
}

const words = { open: '0', paid: '100', declined: '-1', pending: '1' }

const buttons: readonly Button[] = [
  { does: 'approve', label: 'Send the coins', isMain: true },
  { does: 'pending', label: 'Send the coins, not confirmed yet' },
  { does: 'decline', label: 'Let it time out' },
  { does: 'cancel', label: 'Cancel' },
  { does: 'twice', label: 'Send the coins, notify twice' },
  { does: 'late', label: 'Send the coins, notify 20 seconds late' },
  { does: 'silent', label: 'Send the coins, never notify' },
  { does: 'forged', label: 'Notify with a wrong signature' },
  { does: 'amount', label: 'Complete with a wrong amount' },
  { does: 'coin', label: 'Complete in another coin' },
  { does: 'less', label: 'Send half of it' },
  { does: 'more', label: 'Send twice as much' },
]

/** Known statuses are numbers; an unknown future status stays text. */
const statusIn = (state: string): number | string => (/^(0|-?[1-9]\d*)$/.test(state) ? Number(state) : state)

const statusTexts: Record<string, string> = {
  '-2': 'Refund / Reversal',
  '-1': 'Cancelled / Timed Out',
  '0': 'Waiting for buyer funds...',
  '1': 'Funds received and confirmed, sending to you shortly...',
  '2': 'Queued for nightly payout',
  '100': 'Complete',
}
/** True once the full amount has arrived. */
const hasCome = (state: string): boolean => Number(state) > 0

export type CoinpaymentsSimulator = Awaited<ReturnType<typeof startCoinpaymentsSimulator>>

export async function startCoinpaymentsSimulator(options: CoinpaymentsOptions) {
  const { port = 0, merchantId, publicKey, privateKey, ipnSecret, timeoutSeconds = 3_600 } = options
  let startCalls = 0
  let payoutCalls = 0
  let withdrawals = 0

  const answerOk = (result: unknown): Answer => ({ body: JSON.stringify({ error: 'ok', result }) })
  const answerNo = (error: string): Answer => ({ body: JSON.stringify({ error, result: [] }) })
  const addressOfPage = (order: SimulatedOrder): string => `${counter.url}${pagePathOf(order)}`

  function create(fields: URLSearchParams): Answer {
    startCalls += 1
    const text = (name: string): string => fields.get(name) ?? ''
    const missing = ['amount', 'currency1', 'currency2', 'buyer_email'].filter((name) => text(name) === '')
    if (missing.length > 0) return answerNo(`Missing field: ${missing[0]}`)
    if (!isTakable(text('currency2'))) return answerNo('That currency is not enabled!')
    const coins = inCoin(text('amount'), text('currency1'), text('currency2'))
    if (coins === null || coins === 0n) return answerNo('Invalid amount')
    const refusal = counter.refusal()
    if (refusal !== null) return answerNo(refusal)
    const order: SimulatedOrder = {
      attempt: text('custom'),
      reference: `CP${randomBytes(12).toString('hex').toUpperCase()}`,
      amount: text('amount'),
      currency: text('currency1'),
      notifyUrl: text('ipn_url'),
      returnUrl: text('success_url'),
      cancelUrl: text('cancel_url'),
      state: words.open,
      more: {
        coin: text('currency2'),
        asked: amountText(coins),
        received: '0',
        reason: '',
        email: text('buyer_email'),
        name: text('buyer_name'),
        item: text('item_name'),
        number: text('item_number'),
        address: makeAddress(text('currency2')),
        tag: rates[text('currency2')]?.hasTag ? String(100_000_000 + counter.orders.size) : '',
        startedAt: String(Date.now()),
      },
    }
    counter.orders.set(order.attempt, order)
    counter.plan(order.attempt, words.pending, options.coinsAfterMs)
    const { asked, address, tag } = order.more
    return answerOk({
      amount: asked,
      txn_id: order.reference,
      address,
      ...(tag && { dest_tag: tag }),
      confirms_needed: String(rates[text('currency2')]?.confirms ?? 0),
      timeout: timeoutSeconds,
      checkout_url: addressOfPage(order),
      status_url: addressOfPage(order),
      qrcode_url: `${addressOfPage(order)}qr`,
    })
  }

  /** Sends coins from the merchant's wallet. There is no protection against duplicates; callers find a payout by its note. */
  function withdraw(fields: URLSearchParams): Answer {
    payoutCalls += 1
    const text = (name: string): string => fields.get(name) ?? ''
    const missing = ['amount', 'currency', 'address'].filter((name) => text(name) === '')
    if (missing.length > 0) return answerNo(`Missing field: ${missing[0]}`)
    const rate = rates[text('currency')]
    if (!rate || !isTakable(text('currency'))) return answerNo('That currency is not enabled!')
    if (rate.hasTag && !/^\d{1,10}$/.test(text('dest_tag'))) return answerNo('Invalid destination tag')
    const coins = inCoin(text('amount'), text('currency2') || text('currency'), text('currency'))
    if (coins === null || coins === 0n) return answerNo('Invalid amount')
    const refusal = counter.refusal()
    if (refusal !== null) return answerNo(refusal)
    withdrawals += 1
    const order: SimulatedOrder = {
      attempt: text('note'),
      reference: `CW${randomBytes(12).toString('hex').toUpperCase()}`,
      amount: text('amount'),
      // Without `currency2` the amount is in coins.
      currency: text('currency2') || text('currency'),
      notifyUrl: text('ipn_url'),
      returnUrl: '',
      cancelUrl: '',
      // Without `auto_confirm` it waits for a click on a link in a mail.
      state: text('auto_confirm') === '1' ? '1' : '0',
      more: {
        ...{ type: 'withdrawal', coin: text('currency'), address: text('address'), tag: text('dest_tag'), reason: '' },
        ...{ startedAt: String(Date.now()), number: String(withdrawals) },
      },
    }
    const key = `${order.attempt}${counter.orders.has(order.attempt) ? ` ${withdrawals}` : ''}`
    counter.orders.set(key, order)
    if (order.state === '1') counter.plan(key, '2', options.payoutsAfterMs)
    return answerOk({ id: order.reference, status: statusIn(order.state), amount: coinsOf(order) })
  }

  const coinsOf = ({ amount, currency, more }: SimulatedOrder): string =>
    amountText(inCoin(amount, currency, more.coin ?? '') ?? 0n)

  const withdrawalWords: Record<string, string> = {
    ...{ '-1': 'Cancelled', '0': 'Waiting for email confirmation', '1': 'Pending', '2': 'Complete' },
  }

  function withdrawalInfo(order: SimulatedOrder): Record<string, unknown> {
    const { coin = '', address = '', reason = '', startedAt = '0' } = order.more
    return {
      time_created: Math.floor(Number(startedAt) / 1000),
      status: statusIn(order.state),
      status_text: reason || withdrawalWords[order.state],
      coin,
      amount: Number(units(coinsOf(order))),
      amountf: coinsOf(order),
      send_address: address,
      ...(order.state === '2' && { send_txid: createHash('sha256').update(order.reference).digest('hex') }),
    }
  }

  const listWithdrawals = (): SimulatedOrder[] =>
    [...counter.orders.values()].filter(({ more }) => more.type === 'withdrawal')

  function oneWithdrawal(id: string): Answer {
    const order = listWithdrawals().find(({ reference }) => reference === id)
    return order ? answerOk(withdrawalInfo(order)) : answerNo('Withdrawal not found!')
  }

  /** Newest first, in pages, and nothing older than requested. */
  function history(fields: URLSearchParams): Answer {
    const [limit, start, newer] = ['limit', 'start', 'newer'].map((name) => Number(fields.get(name) ?? 0))
    const found = listWithdrawals()
      .filter(({ more }) => Number(more.startedAt) / 1000 >= (newer ?? 0))
      .reverse()
      .slice(start, (start ?? 0) + Math.min(limit || 25, 100))
    return answerOk(found.map((order) => ({ id: order.reference, note: order.attempt, ...withdrawalInfo(order) })))
  }

  function infoOf(reference: string): Answer {
    const order = [...counter.orders.values()].find((each) => each.reference === reference)
    if (!order) return answerNo('Transaction not found!')
    const { coin = '', asked = '0', received = '0', address = '', startedAt = '0' } = order.more
    const startedSeconds = Math.floor(Number(startedAt) / 1000)
    return answerOk({
      time_created: startedSeconds,
      time_expires: startedSeconds + timeoutSeconds,
      status: statusIn(order.state),
      status_text: order.more.reason || (statusTexts[order.state] ?? ''),
      type: 'coins',
      coin,
      amount: Number(units(asked)),
      amountf: asked,
      received: Number(units(received)),
      receivedf: received,
      recv_confirms: hasCome(order.state) ? 3 : 0,
      payment_address: address,
    })
  }

  function call({ body, headers }: Exchange): Answer {
    const fields = new URLSearchParams(body)
    if (fields.get('version') !== '1') return answerNo('Invalid API version')
    if (fields.get('key') !== publicKey) return answerNo('This API Key does not exist or is not active')
    if (headers.hmac !== sha512(body, privateKey)) return answerNo('HMAC signature does not match')
    switch (fields.get('cmd')) {
      case 'create_transaction':
        return create(fields)
      case 'get_tx_info':
        return infoOf(fields.get('txid') ?? '')
      case 'create_withdrawal':
        return withdraw(fields)
      case 'get_withdrawal_info':
        return oneWithdrawal(fields.get('id') ?? '')
      case 'get_withdrawal_history':
        return history(fields)
      case 'rates':
        return answerOk(ratesAnswer(fields.get('accepted') ?? '0'))
      case 'get_basic_info':
        return answerOk({
          username: 'harbour',
          merchant_id: merchantId,
          email: 'pay@example.com',
          public_name: 'Harbour',
        })
      default:
        return answerNo('This API Key does not have permission to use that command!')
    }
  }

  /** Encodes spaces as plus signs, as PHP does: re-encoding the body would give other bytes. */
  function messageOf(order: SimulatedOrder, overrides: CoinOverrides): Message {
    const said =
      order.more.type === 'withdrawal'
        ? withdrawalWebhookEvent(order, overrides)
        : paymentWebhookEvent(order, overrides)
    const body = new URLSearchParams(said).toString()
    const hmac = overrides.hmac === undefined ? sha512(body, overrides.secretKey ?? ipnSecret) : overrides.hmac
    return {
      type: 'application/x-www-form-urlencoded; charset=utf-8',
      body,
      ...(hmac !== null && { headers: { HMAC: hmac } }),
    }
  }

  function paymentWebhookEvent(order: SimulatedOrder, overrides: CoinOverrides): Record<string, string> {
    const { coin = '', asked = '', email = '', name = '', item = '', number = '', received = '' } = order.more
    const status = overrides.status ?? order.state
    return {
      ...webhookEventHead(order, overrides, status),
      ipn_type: 'api',
      txn_id: overrides.reference ?? order.reference,
      status_text: order.more.reason || (statusTexts[status] ?? ''),
      currency1: overrides.currency ?? order.currency,
      currency2: overrides.coin ?? coin,
      amount1: overrides.amount ?? order.amount,
      amount2: overrides.asked ?? asked,
      fee: '0',
      buyer_name: name,
      email,
      item_name: item,
      item_number: number,
      invoice: overrides.attempt ?? order.attempt,
      custom: overrides.attempt ?? order.attempt,
      received_amount: overrides.received ?? (hasCome(status) && received === '0' ? asked : received),
      received_confirms: hasCome(status) ? '3' : '0',
    }
  }

  const webhookEventHead = (order: SimulatedOrder, overrides: CoinOverrides, status: string) => ({
    ipn_version: '1.0',
    ipn_mode: 'hmac',
    // A repeated IPN has the same id.
    ipn_id: createHash('md5').update(`${order.reference} ${status} ${order.more.reason}`).digest('hex'),
    merchant: overrides.merchantId ?? merchantId,
    status,
  })

  function withdrawalWebhookEvent(order: SimulatedOrder, overrides: CoinOverrides): Record<string, string> {
    const { coin = '', address = '' } = order.more
    const status = overrides.status ?? order.state
    return {
      ...webhookEventHead(order, overrides, status),
      ipn_type: 'withdrawal',
      id: overrides.reference ?? order.reference,
      status_text: order.more.reason || (withdrawalWords[status] ?? ''),
      address,
      currency: overrides.coin ?? coin,
      amount: coinsOf(order),
      amounti: String(units(coinsOf(order))),
    }
  }

  /** Sets the state of the coins without a webhook event. */
  function set(attempt: string, state: string, reason = '', received?: string): void {
    counter.set(attempt, state, reason)
    if (received !== undefined) counter.orderOf(attempt).more.received = received
  }

  const allOf = ({ more }: SimulatedOrder): bigint => units(more.asked ?? '0')

  const counter = await openCounter({
    title: 'CoinPayments',
    port,
    words,
    pagePathOf,
    noteOf: ({ more: { asked, coin, address, tag } }) => `${asked} ${coin} to ${address}${tag ? `, tag ${tag}` : ''}`,
    buttons,
    presses: {
      decline: { happen: ({ attempt }) => set(attempt, words.declined) },
      coin: {
        happen: ({ attempt }) => set(attempt, words.paid),
        overrides: ({ more }) => ({ coin: more.coin === 'LTCT' ? 'LTC' : 'LTCT' }),
      },
      less: { happen: (order) => set(order.attempt, words.open, '', amountText(allOf(order) / 2n)) },
      more: { happen: (order) => set(order.attempt, words.paid, '', amountText(allOf(order) * 2n)) },
    },
    isCall: (path) => path === '/api.php',
    serve: (exchange) => (exchange.method === 'POST' && exchange.path === '/api.php' ? call(exchange) : null),
    messageOf,
    returnOf: ({ returnUrl }) => ({ location: returnUrl }),
    // The full amount, unless the test sets another.
    onSet({ attempt, state, more }) {
      if (hasCome(state)) more.received = more.asked ?? '0'
      if (state === words.pending && more.type !== 'withdrawal') counter.plan(attempt, words.paid, options.coinsAfterMs)
    },
  })
  return {
    ...counter,
    set,
    settings: { merchantId, publicKey, privateKey, ipnSecret, testCoin: 'accepted', baseUrl: counter.url },
    startCalls: () => startCalls,
    payoutCalls: () => payoutCalls,
  }
}

const pagePathOf = ({ reference }: SimulatedOrder): string => `/checkout/${reference}/`
