import { createHash, randomInt } from 'node:crypto'
import { type Message, type Overrides, openCounter, usualButtons } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** SafeCharge's hosted page as documented, with its own checksum code. */
export type SafechargeOptions = {
  port?: number
  merchantId: string
  siteId: string
  secretKey: string
  /** Payouts complete automatically after this time. */
  payoutsAfterMs?: number
}

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('')).digest('hex')

type SafechargeOverrides = Overrides & { type?: string }

const words = { open: 'OPEN', paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' }
/** The fields that their page requires, and the lengths that it allows. */
const required = [
  ...['merchant_id', 'merchant_site_id', 'total_amount', 'currency', 'user_token_id', 'item_name_1', 'item_amount_1'],
  ...['item_quantity_1', 'time_stamp', 'version', 'notify_url', 'checksum'],
]
const charsMax: Record<string, number> = {
  ...{ merchant_unique_id: 64, success_url: 300, error_url: 300, pending_url: 300, back_url: 300, first_name: 30 },
  ...{ last_name: 40, email: 100, address1: 60, city: 30, zip: 10, country: 2, state: 2, phone1: 18 },
}
/** The page allows another try with a different card. */
const buttons = [...usualButtons, { does: 'again', label: 'Decline, then try again here' }]

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

export async function startSafechargeSimulator(options: SafechargeOptions) {
  const { port = 0, merchantId, siteId, secretKey } = options
  let payoutCalls = 0
  let isBankSilent = false

  /** The page accepts a form whose checksum covers the values in their order of arrival. */
  function open(body: string): Answer {
    const posted = [...new URLSearchParams(body)]
    const fields = Object.fromEntries(posted)
    const values = posted.filter(([name]) => name !== 'checksum').map(([, value]) => value)
    const encoded = posted
      .filter(([name]) => name !== 'checksum')
      .map(([name, value]) => (name.endsWith('_url') ? encodeURIComponent(value) : value))
    const missing = required.filter((name) => !fields[name])
    const long = Object.entries(charsMax).filter(([name, max]) => [...(fields[name] ?? '')].length > max)
    const isDated = /^\d{4}-\d\d-\d\d\.\d\d:\d\d:\d\d$/.test(fields.time_stamp ?? '')
    if (missing.length > 0 || long.length > 0 || !isDated || fields.version !== '4.0.0')
      return {
        status: 400,
        type: 'text/html',
        body: `Fields: ${[...missing, ...long.map(([name]) => name)].join(', ')}`,
      }
    const isSigned = [values, encoded].some((each) => sha256(secretKey, ...each) === fields.checksum)
    if (!isSigned) return { status: 403, type: 'text/html', body: 'Invalid checksum' }
    if (fields.merchant_id !== merchantId || fields.merchant_site_id !== siteId)
      return { status: 403, type: 'text/html', body: 'Unknown merchant' }
    if (fields.total_amount !== fields.item_amount_1 || fields.item_quantity_1 !== '1')
      return { status: 400, type: 'text/html', body: 'The items are not the total' }
    const attempt = fields.merchant_unique_id ?? ''
    const order = counter.orders.get(attempt) ?? {
      attempt,
      reference: String(randomInt(10 ** 12, 10 ** 14)),
      amount: fields.total_amount ?? '',
      currency: fields.currency ?? '',
      notifyUrl: fields.notify_url ?? '',
      returnUrl: fields.success_url ?? '',
      cancelUrl: fields.back_url ?? '',
      state: words.open,
      more: { type: 'Sale', reason: '' },
    }
    counter.orders.set(attempt, order)
    return counter.pageOf(order)
  }

  function fieldsOf(order: SimulatedOrder, overrides: SafechargeOverrides): URLSearchParams {
    const status = overrides.status ?? order.state
    const said = {
      ppp_status: status === 'APPROVED' ? 'OK' : status === 'PENDING' ? 'PENDING' : 'FAIL',
      Status: status,
      PPP_TransactionID: overrides.reference ?? order.reference,
      TransactionID: numberOf(order, overrides),
      merchant_id: overrides.merchantId ?? merchantId,
      merchant_site_id: siteId,
      merchant_unique_id: overrides.attempt ?? order.attempt,
      totalAmount: overrides.amount ?? order.amount,
      currency: overrides.currency ?? order.currency,
      transactionType: overrides.type ?? order.more.type ?? 'Sale',
      ...(status === 'APPROVED' && { cardCompany: 'Visa' }),
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
      ...[
        overrides.secretKey ?? secretKey,
        totalAmount,
        currency,
        responseTimeStamp,
        PPP_TransactionID,
        Status,
        productId,
      ],
    )
    const message = new URLSearchParams(said)
    message.set('advanceResponseChecksum', checksum)
    return message
  }

  const messageOf = (order: SimulatedOrder, overrides: SafechargeOverrides): Message => ({
    type: 'application/x-www-form-urlencoded',
    body: fieldsOf(order, overrides).toString(),
  })

  function returnOf(order: SimulatedOrder, overrides: Overrides): Answer {
    const url = new URL(order.returnUrl)
    for (const [name, value] of fieldsOf(order, overrides)) url.searchParams.set(name, value)
    return { location: url.href }
  }

  /** Pays to the member's earlier payment option, identified by its number. */
  function payout(body: PayoutCall, failed: (errCode: number, reason: string) => Answer): Answer {
    payoutCalls += 1
    const { merchantSiteId, clientRequestId, clientUniqueId: attempt, amount, currency, timeStamp } = body
    const parts = [body.merchantId, merchantSiteId, clientRequestId, amount, currency, timeStamp, secretKey]
    if (sha256(...parts) !== body.checksum) return failed(1001, 'Invalid checksum')
    const option = body.userPaymentOption.userPaymentOptionId
    const paidWith = [...counter.orders.values()].find(
      ({ reference, state }) => `7${reference}` === option && state === 'APPROVED',
    )
    if (!paidWith) return failed(1023, 'Unknown payment option')
    if (counter.orders.has(attempt)) return failed(1019, 'Duplicate clientUniqueId')
    const reference = String(randomInt(10 ** 12, 10 ** 14))
    const refusal = counter.refusal()
    const isTimeout = refusal === null && isBankSilent
    const state = isTimeout ? 'ERROR' : refusal === null ? words.pending : words.declined
    const more = { type: 'Credit', reason: refusal ?? '', ...(isTimeout && { code: '-1203' }) }
    const urls = { notifyUrl: body.urlDetails.notificationUrl, returnUrl: '', cancelUrl: '' }
    counter.orders.set(attempt, { attempt, reference, amount, currency, state, ...urls, more })
    if (refusal === null && !isTimeout) counter.plan(attempt, words.paid, options.payoutsAfterMs)
    const gateway = { gwErrorReason: more.reason, gwErrorCode: Number(isTimeout ? '-1203' : 0) }
    const said = { transactionStatus: state, transactionId: `9${reference}`, ...gateway }
    return { body: JSON.stringify({ status: 'SUCCESS', errCode: 0, reason: '', ...said }) }
  }

  function rest(name: string, text: string): Answer {
    const body = JSON.parse(text) as Record<string, string>
    const { merchantSiteId = '', transactionId, clientUniqueId, clientRequestId, timeStamp = '', checksum } = body
    const failed = (errCode: number, reason: string): Answer => ({
      body: JSON.stringify({ status: 'ERROR', errCode, reason }),
    })
    const subject = transactionId ?? clientUniqueId ?? clientRequestId ?? ''
    if (name === 'payout') return payout(JSON.parse(text) as PayoutCall, failed)
    if (sha256(body.merchantId ?? '', merchantSiteId, subject, timeStamp, secretKey) !== checksum)
      return failed(1001, 'Invalid checksum')
    if (name === 'getSessionToken') return { body: JSON.stringify({ status: 'SUCCESS', sessionToken: 'token' }) }
    const order = [...counter.orders.values()].find((each) =>
      transactionId === undefined ? each.attempt === clientUniqueId : numberOf(each) === transactionId,
    )
    const details = order && detailsOf(order)
    if (!details) return failed(9146, 'No transaction details returned for the provided ID.')
    return { body: JSON.stringify({ status: 'SUCCESS', errCode: 0, reason: '', ...details }) }
  }

  const numberOf = (order: SimulatedOrder, { reference }: SafechargeOverrides = {}): string =>
    reference ?? `9${order.reference}`

  /** The format that the vendor's plugin and other connectors read. */
  function detailsOf(order: SimulatedOrder) {
    const overrides: SafechargeOverrides = counter.lastSentOf(order.attempt)
    const transactionStatus = overrides.status ?? order.state
    if (transactionStatus === words.open) return null
    const isPayout = order.more.type === 'Credit'
    return {
      clientUniqueId: order.attempt,
      transactionDetails: {
        transactionId: numberOf(order, overrides),
        transactionStatus,
        transactionType: overrides.type ?? order.more.type,
        processedAmount: overrides.amount ?? order.amount,
        processedCurrency: overrides.currency ?? order.currency,
        gwErrorReason: order.more.reason,
        ...(transactionStatus === 'ERROR' && { gwErrorCode: Number(order.more.code ?? 0) }),
      },
      ...(!isPayout && {
        paymentOption: { userPaymentOptionId: `7${order.reference}`, card: { cardBrand: 'VISA' } },
      }),
    }
  }

  function serve({ method, path, body, query }: Exchange): Answer | null {
    if (path === '/ppp/purchase.do') return open(method === 'GET' ? query.toString() : body)
    const name = /^\/ppp\/api\/v1\/(\w+)\.do$/.exec(path)?.[1]
    return name && method === 'POST' ? rest(name, body) : null
  }

  const counter = await openCounter({
    title: 'SafeCharge',
    port,
    words,
    pagePathOf: ({ reference }) => `/ppp/pay/${reference}`,
    buttons,
    presses: {
      again: {
        happen: ({ attempt }) => counter.set(attempt, words.declined, 'Insufficient funds'),
        answer: (order): Answer => counter.pageOf(order, 'Your card was declined. Try another one.'),
      },
    },
    isCall: (path) => path.startsWith('/ppp/api/'),
    serve,
    messageOf,
    returnOf,
  })
  return {
    ...counter,
    /** Posts the form as the member's browser would. */
    async post(fields: readonly { name: string; value: string }[]): Promise<number> {
      const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]))
      return (await fetch(`${counter.url}/ppp/purchase.do`, { method: 'POST', body })).status
    },
    settings: {
      merchantId,
      siteId,
      secretKey,
      pageUrl: `${counter.url}/ppp/purchase.do`,
      restUrl: `${counter.url}/ppp/api/v1`,
    },
    payoutCalls: () => payoutCalls,
    /** The bank behind payouts does not answer in time. */
    silenceBank(isSilent: boolean): void {
      isBankSilent = isSilent
    },
  }
}
