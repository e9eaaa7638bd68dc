import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** Skrill Quick Checkout and its query interface as documented, with its own signing code. */
export type SkrillOptions = {
  port?: number
  payToEmail: string
  merchantId: string
  secretWord: string
  apiPassword: string
  /** The currency of the merchant's account; default: that of each order. */
  accountCurrency?: string
  /** Sends a SHA-2 signature beside md5sig, as for accounts with that option. */
  withSha2?: boolean
  /** Recipients have no wallet yet, so the transfer stays pending. */
  withoutWallets?: boolean
}

export type SkrillSimulator = Awaited<ReturnType<typeof startSkrillSimulator>>

const hex = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex')
const upper = (algorithm: string, text: string): string => hex(algorithm, text).toUpperCase()

const required = ['pay_to_email', 'amount', 'currency', 'transaction_id', 'status_url', 'prepare_only']
const charsMax: Record<string, number> = {
  ...{ pay_to_email: 50, amount: 19, currency: 3, transaction_id: 100, return_url: 240, cancel_url: 240 },
  ...{ status_url: 400, recipient_description: 30, firstname: 20, lastname: 50, address: 100, phone_number: 20 },
  ...{ postal_code: 9, city: 50, state: 50, country: 3, language: 2, detail1_description: 240, detail1_text: 240 },
}
const words = { open: 'OPEN', paid: '2', declined: '-2', pending: '0' }

const historyHead = [
  ...['ID', 'Time', 'Type', 'Transaction Details', '[-]', '[+]', 'Status', 'Balance', 'Reference', 'Amount Sent'],
  ...['Currency sent', 'More information', 'ID of the corresponding Skrill transaction', 'Payment Type', 'Country'],
]
const historyWords: Record<string, string> = {
  ...{ '2': 'processed', '1': 'scheduled', '0': 'pending', '-1': 'cancelled', '-2': 'failed', '-3': 'chargeback' },
}
/** Their date format: 27-11-2026. */
const dayOf = (iso: string): string => iso.slice(0, 10).split('-').reverse().join('-')

export async function startSkrillSimulator(options: SkrillOptions) {
  const { payToEmail, merchantId, secretWord, apiPassword } = options
  const prepared = new Map<string, SimulatedOrder>()
  let transfers = 0
  let isNextLost = false

  const refuse = (message: string): Answer => ({
    status: 400,
    body: JSON.stringify({ code: 'BAD_REQUEST', message }),
  })

  function prepare(body: string): Answer {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const missing = required.filter((name) => !fields[name])
    if (missing.length > 0) return refuse(`missing: ${missing.join(', ')}`)
    const long = Object.entries(charsMax).filter(([name, max]) => [...(fields[name] ?? '')].length > max)
    if (long.length > 0) return refuse(`too long: ${long.map(([name]) => name).join(', ')}`)
    const { transaction_id: attempt = '', amount = '', currency = '', country, phone_number: phone } = fields
    if (fields.pay_to_email !== payToEmail) return refuse('unknown merchant')
    if (!/^\d+(\.\d*[1-9])?$/.test(amount)) return refuse('amount with zeros behind it')
    if (country !== undefined && !/^[A-Z]{3}$/.test(country)) return refuse('country of three letters')
    if (phone !== undefined && !/^\d+$/.test(phone)) return refuse('phone of digits')
    if (counter.orders.has(attempt)) return refuse('transaction_id was used before')
    const session = randomBytes(16).toString('hex')
    counter.orders.set(attempt, {
      attempt,
      reference: String(randomInt(1_000_000_000, 4_000_000_000)),
      amount,
      currency,
      notifyUrl: fields.status_url ?? '',
      returnUrl: fields.return_url ?? '',
      cancelUrl: fields.cancel_url ?? '',
      state: words.open,
      more: { session, reason: '', payer: fields.pay_from_email ?? '', at: new Date().toISOString() },
    })
    return { type: 'text/plain', body: session }
  }

  /** 25.40, 25.4 or 25: each payment has one spelling, chosen by its reference. */
  function spelled(amount: string, reference: string): string {
    const [whole = '', coins = ''] = amount.split('.')
    const spellings = [amount, `${whole}.${coins.padEnd(2, '0')}`, coins.replace(/0+$/, '') === '' ? whole : amount]
    return spellings[Number(reference.at(-1)) % 3] ?? amount
  }

  function fieldsOf(order: SimulatedOrder, overrides: Overrides): Record<string, string> {
    const [amount, currency] = [overrides.amount ?? order.amount, overrides.currency ?? order.currency]
    const ours = options.accountCurrency ?? currency
    const said = {
      pay_to_email: payToEmail,
      pay_from_email: order.more.payer ?? '',
      merchant_id: overrides.merchantId ?? merchantId,
      transaction_id: overrides.attempt ?? order.attempt,
      mb_transaction_id: overrides.reference ?? order.reference,
      // At an exchange rate of two to one.
      mb_amount: ours === currency ? spelled(amount, order.reference) : `${Number.parseInt(amount, 10) * 2}.5`,
      mb_currency: ours,
      status: overrides.status ?? order.state,
      ...(order.more.reason !== '' && { failed_reason_code: '51' }),
      amount,
      currency,
    }
    const { merchant_id, transaction_id, mb_amount, mb_currency, status } = said
    const word = upper('md5', overrides.secretKey ?? secretWord)
    const proven = [merchant_id, transaction_id, word, mb_amount, mb_currency, status].join('')
    return {
      ...said,
      md5sig: upper('md5', proven),
      ...(options.withSha2 && { sha2sig: upper('sha256', proven) }),
    }
  }

  const messageOf = (order: SimulatedOrder, overrides: Overrides): Message => ({
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fieldsOf(order, overrides)).toString(),
  })

  function query(body: string): Answer {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const text = (line: string, rest = ''): Answer => ({ type: 'text/plain', body: `${line}\n${rest}` })
    if (fields.email !== payToEmail || fields.password !== hex('md5', apiPassword)) return text('401\t\tCannot login')
    if (fields.action === 'history') return history(fields, text)
    if (fields.action !== 'status_trn') return text('402\t\tUnknown action')
    const order = counter.orders.get(fields.trn_id ?? '')
    const lastSent = counter.lastSentOf(fields.trn_id ?? '')
    if (!order || (lastSent.status ?? order.state) === words.open)
      return text(`403\t\tTransaction not found: ${fields.trn_id}`)
    return text('200\t\tOK', new URLSearchParams(fieldsOf(order, counter.lastSentOf(order.attempt))).toString())
  }

  /** The account history between two days, as CSV. */
  function history(
    { start_date: start = '', end_date: end = dayOf(new Date().toISOString()) }: Record<string, string>,
    text: (line: string, rest?: string) => Answer,
  ): Answer {
    if (start === '') return text('404\t\tMissing parameter: start_date')
    if (![start, end].every((day) => /^\d\d-\d\d-\d{4}$/.test(day))) return text('405\t\tIllegal parameter value')
    const from = (day: string): string => day.split('-').reverse().join('-')
    const moved = [...counter.orders.values()].filter(({ state, more: { at = '' } }) => {
      return state !== words.open && at.slice(0, 10) >= from(start) && at.slice(0, 10) <= from(end)
    })
    const rows = moved.map(({ attempt, reference, amount, currency, state, more }) => {
      const sums = more.isSent ? [amount, ''] : ['', amount]
      const [type, details] = more.isSent ? ['Send Money', 'to'] : ['Receive Money', 'from']
      const when = `${dayOf(more.at ?? '')} ${(more.at ?? '').slice(11, 19)}`
      const named = [...sums, historyWords[state] ?? state, '', attempt, amount, currency, '', '', 'WLT', '']
      return [reference, when, type, `${details} ${more.payer}`, ...named]
    })
    const quoted = [historyHead, ...rows].map((row) => row.map((each) => `"${each}"`).join(','))
    return text('200\t\tOK', quoted.join('\n'))
  }

  const xml = (inside: string): Answer => ({
    type: 'text/xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<response>${inside}</response>\n`,
  })
  const xmlNo = (word: string): Answer => xml(`<error><error_msg>${word}</error_msg></error>`)

  /** Sending money: preparing moves nothing, and a session is valid for one transfer. */
  function send(body: string): Answer {
    const fields = Object.fromEntries(new URLSearchParams(body))
    if (fields.action === 'prepare') return prepareSending(fields)
    return fields.action === 'transfer' ? transfer(fields.sid ?? '') : xmlNo('INVALID_ACTION')
  }

  function prepareSending(fields: Record<string, string>): Answer {
    if (fields.email !== payToEmail || fields.password !== hex('md5', apiPassword)) return xmlNo('CANNOT_LOGIN')
    for (const name of ['amount', 'currency', 'bnf_email', 'subject', 'note', 'frn_trn_id'])
      if (!fields[name]) return xmlNo(`MISSING_${name.toUpperCase()}`)
    const { amount = '', currency = '', bnf_email: wallet = '', frn_trn_id: attempt = '' } = fields
    if (!/^\d+(\.\d*[1-9])?$/.test(amount)) return xmlNo('INVALID_AMOUNT')
    if (!/^[^@\s]+@[^@\s]+$/.test(wallet)) return xmlNo('INVALID_BNF_EMAIL')
    if (counter.orders.has(attempt)) return xmlNo('INVALID_FRN_TRN_ID')
    if (counter.refusal() !== null) return xmlNo('SINGLE_TRN_LIMIT_VIOLATED')
    const session = randomBytes(16).toString('hex')
    prepared.set(session, {
      ...{ attempt, amount, currency, reference: String(randomInt(1_000_000_000, 4_000_000_000)) },
      ...{ notifyUrl: '', returnUrl: '', cancelUrl: '', state: options.withoutWallets ? '1' : words.paid },
      more: { reason: '', payer: wallet, isSent: 'yes', at: new Date().toISOString() },
    })
    return xml(`<sid>${session}</sid>`)
  }

  function transfer(session: string): Answer {
    const order = prepared.get(session)
    if (!order) return xmlNo('SESSION_EXPIRED')
    if (counter.orders.has(order.attempt)) return xmlNo('ALREADY_EXECUTED')
    transfers += 1
    counter.orders.set(order.attempt, order)
    if (isNextLost) {
      isNextLost = false
      return { status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' }
    }
    const { amount, currency, reference, state } = order
    const said = {
      amount,
      currency,
      id: reference,
      status: state,
      status_msg: state === '1' ? 'scheduled' : 'processed',
    }
    const texts = Object.entries(said).map(([name, value]) => `<${name}>${value}</${name}>`)
    return xml(`<transaction>${texts.join('')}</transaction>`)
  }

  function returnOf(order: SimulatedOrder): Answer {
    const url = new URL(order.state === words.declined ? order.cancelUrl : order.returnUrl)
    url.searchParams.set('transaction_id', order.attempt)
    url.searchParams.set('msid', hex('md5', `${merchantId}${order.attempt}${upper('md5', secretWord)}`))
    return { location: url.href }
  }

  function serve({ method, path, query: asked, body }: Exchange): Answer | null {
    if (method === 'POST' && path === '/') return prepare(body)
    if (method === 'POST' && path === '/app/query.pl') return query(body)
    if (method === 'POST' && path === '/app/pay.pl') return send(body)
    const order = [...counter.orders.values()].find(({ more }) => more.session === asked.get('sid'))
    // Their page forbids framing.
    return path === '/app/' && order ? { ...counter.pageOf(order), headers: { 'x-frame-options': 'DENY' } } : null
  }

  const counter = await openCounter({
    title: 'Skrill',
    port: options.port ?? 0,
    words,
    isCall: (path) => path === '/' || path.endsWith('.pl'),
    serve,
    messageOf,
    returnOf,
  })
  return {
    ...counter,
    payoutCalls: () => transfers,
    /** Executes the next transfer and drops the answer. */
    loseNextTransfer(): void {
      isNextLost = true
    },
    settings: {
      ...{ payToEmail, merchantId, secretWord, apiPassword, shopName: 'Harbour Markets' },
      payUrl: counter.url,
      queryUrl: `${counter.url}/app/query.pl`,
      sendUrl: `${counter.url}/app/pay.pl`,
    },
  }
}
