import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt } from 'node:crypto'
import { type Message, type Overrides, openCounter } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/**
 * SDPay's page in yuan: opens a posted order, shows it, and repeats its encrypted webhook event until it is acknowledged.
 * It also has the payout service, which notifies the address of the last order.
 */
export type SdsystemOptions = {
  port?: number
  merchantId: string
  key1: string
  key2: string
  md5Key: string
  payouts?: { loginAccount: string; key1: string; key2: string }
  /** Payouts complete automatically after this time. */
  payoutsAfterMs?: number
  /** The address for payout webhook events before an order has named one. */
  webhookUrl?: string
}

export type SdsystemSimulator = Awaited<ReturnType<typeof startSdsystemSimulator>>

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')
const words = { open: '', paid: '1', declined: '2', pending: '9' }
/** Maps states of payments, which tests use, to states of payout records. */
const recordStates: Record<string, string> = { '': '0', '1': '2', '2': '3', '9': '1' }
const tripled = (key: string): Buffer => {
  const eight = Buffer.from(key, 'base64')
  return Buffer.concat([eight, eight, eight])
}
const written = (text: string): string =>
  text.replaceAll('&amp;', '\u0000').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\u0000', '&')
const elementIn = (xml: string, name: string): string =>
  written(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '')

export async function startSdsystemSimulator(options: SdsystemOptions) {
  const { port = 0, merchantId, key1, key2, md5Key, payouts } = options
  const [key, start] = [tripled(key1), Buffer.from(key2, 'base64')]
  let webhookUrl = options.webhookUrl ?? ''
  let refuses = false
  let payoutCalls = 0

  function openForm(des: string): string | null {
    try {
      const decipher = createDecipheriv('des-ede3-cbc', key, start)
      const text = decipher.update(des, 'base64', 'utf8') + decipher.final('utf8')
      const [xml, signature] = [text.slice(0, -64), text.slice(-64, -32)]
      return signature === md5(`${xml}${md5Key}`) ? xml : null
    } catch {
      return null
    }
  }

  /** Always encrypted with the right keys; a wrong secret only affects the inner signature. */
  function wrap(xml: string, inner: string): string {
    const cipher = createCipheriv('des-ede3-cbc', key, start)
    const text = `${xml}${md5(`${xml}${inner}`)}${md5(xml)}`
    return cipher.update(text, 'utf8', 'base64') + cipher.final('base64')
  }

  function pay(body: string): Answer {
    const no = (text: string): Answer => ({ status: 403, type: 'text/html', body: text })
    const fields = new URLSearchParams(body)
    if (fields.get('pid') !== merchantId) return no('101 unknown merchant')
    const xml = openForm(fields.get('des') ?? '')
    if (xml === null) return no('103 wrong key or signature')
    const said = (name: string): string => elementIn(xml, name)
    if (said('merchantid') !== merchantId || said('cmd') !== fields.get('cmd')) return no('101 merchant or command')
    if (!/^\d+\.\d\d$/.test(said('money')) || said('unit') !== '1') return no('104 money')
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(said('time'))) return no('104 time')
    const attempt = said('order')
    if (!/^[\w-]{1,30}$/.test(attempt)) return no('102 order')
    const returnUrl = said('backurlbrowser')
    webhookUrl = said('backurl')
    const order = counter.orders.get(attempt) ?? {
      attempt,
      reference: randomBytes(8).toString('hex'),
      amount: said('money'),
      currency: 'CNY',
      notifyUrl: said('backurl'),
      returnUrl,
      cancelUrl: `${returnUrl}?ppp_status=CANCEL`,
      state: words.open,
      more: { reason: '', username: said('username') },
    }
    counter.orders.set(attempt, order)
    return counter.pageOf(order)
  }

  function payout(body: string): Answer {
    payoutCalls += 1
    const number = (code: number): Answer => ({
      type: 'text/xml; charset=utf-8',
      body: `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GetFundResponse xmlns="http://tempuri.org/"><GetFundResult>${code}</GetFundResult></GetFundResponse></soap:Body></soap:Envelope>`,
    })
    if (!payouts || elementIn(body, 'LoginAccount') !== payouts.loginAccount) return number(-1)
    const xml = openPayout(elementIn(body, 'GetFundInfo'), payouts)
    if (xml === null) return number(-1)
    const said = (name: string): string => elementIn(xml, name)
    const [attempt, account, bank] = [said('SerialNumber'), said('IntoAccount'), said('IntoBank1')]
    if (!/^[A-Z0-9]{2,12}$/.test(bank)) return number(-14)
    if (!/^\d+\.\d\d$/.test(said('IntoAmount')) || said('Id') !== '0') return number(-12)
    if (account === '' || said('IntoName') === '' || !/^[\w-]{1,30}$/.test(attempt)) return number(-12)
    if (refuses) return number(-11)
    if (counter.orders.has(attempt)) return number(-15)
    const reference = randomInt(10 ** 8, 10 ** 9)
    counter.orders.set(attempt, {
      attempt,
      reference: `${reference}`,
      amount: said('IntoAmount'),
      currency: 'CNY',
      notifyUrl: webhookUrl,
      returnUrl: '',
      cancelUrl: '',
      state: words.pending,
      more: { reason: '', account, bank, name: said('IntoName') },
    })
    counter.plan(attempt, words.paid, options.payoutsAfterMs)
    return number(reference)
  }

  /** Random characters follow the encrypted text. */
  function openPayout(info: string, keys: { key1: string; key2: string }): string | null {
    if (!/[0-9a-f]{32}$/.test(info)) return null
    try {
      const decipher = createDecipheriv('des-ede3-cbc', tripled(keys.key1), Buffer.from(keys.key2, 'base64'))
      return decipher.update(info.slice(0, -32), 'base64', 'utf8') + decipher.final('utf8')
    } catch {
      return null
    }
  }

  /** A wrong secret means a wrong encryption key: the content has no signature. */
  function payoutMessage(order: SimulatedOrder, overrides: Overrides, keys: { key1: string; key2: string }): Message {
    const amount = `${overrides.amount ?? order.amount}00`
    const state = overrides.status ?? order.state
    const said: [string, string][] = [
      ['Id', overrides.reference ?? order.reference],
      ['RolloutAccount', 'HM-1'],
      ['IntoAccount', overrides.account ?? order.more.account ?? ''],
      ['IntoName', order.more.name ?? ''],
      ['IntoBank1', order.more.bank ?? ''],
      ['IntoAmount', amount],
      ['RecordsState', recordStates[state] ?? state],
      ['Tip', order.more.reason ?? ''],
      ['ApplicationTime', '2024-07-01 11:04:10'],
      ['ProcessingTime', '2024-07-01 11:05:33'],
      ['SerialNumber', overrides.attempt ?? order.attempt],
      ['beforeMoney', '100000.0000'],
      ['afterMoney', '99750.0000'],
      ['bankNumber', ''],
    ]
    const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const content = said.map(([name, text]) => `<${name}>${escaped(text)}</${name}>`).join('')
    const sealing = overrides.secretKey ? Buffer.from(md5(overrides.secretKey).slice(0, 24)) : tripled(keys.key1)
    const cipher = createCipheriv('des-ede3-cbc', sealing, Buffer.from(keys.key2, 'base64'))
    const xml = `<TransferInfomation>${content}</TransferInfomation>`
    const sealed = cipher.update(xml, 'utf8', 'base64') + cipher.final('base64')
    const HiddenField1 = `${sealed}${randomBytes(16).toString('hex')}`
    return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams({ HiddenField1 }).toString() }
  }

  function messageOf(order: SimulatedOrder, overrides: Overrides): Message {
    if (payouts && order.more.account !== undefined) return payoutMessage(order, overrides, payouts)
    const currency = overrides.currency ?? order.currency
    const said: [string, string][] = [
      ['cmd', '6007'],
      ['merchantid', overrides.merchantId ?? merchantId],
      ['order', overrides.attempt ?? order.attempt],
      ['username', order.more.username ?? ''],
      ['money', overrides.amount ?? order.amount],
      ['unit', currency === 'CNY' ? '1' : '2'],
      ['time', overrides.time ?? '2024-07-01 11:05:33'],
      ['call', 'server'],
      ['result', overrides.status ?? order.state],
      ['remark', 'Deposit'],
    ]
    const content = said.map(([name, text]) => `<${name}>${text}</${name}>`).join('')
    // Some of their documents start without the space.
    const res = wrap(
      `<?xml version="1.0" encoding="utf-8"?><message>${content}</message>`,
      overrides.secretKey ?? md5Key,
    )
    const type = 'application/x-www-form-urlencoded'
    return { type, body: new URLSearchParams({ pid: merchantId, res }).toString() }
  }

  function serve({ method, path, body }: Exchange): Answer | null {
    if (method !== 'POST') return null
    if (path === '/ToService.aspx') return pay(body)
    return path === '/Customer.asmx' ? payout(body) : null
  }

  const counter = await openCounter({
    title: 'SD System',
    port,
    words,
    isCall: (path) => path === '/Customer.asmx',
    serve,
    messageOf,
    returnOf: (order) => ({ location: order.returnUrl }),
  })
  return {
    ...counter,
    settings: {
      ...{ merchantId, key1, key2, md5Key, payUrl: `${counter.url}/ToService.aspx` },
      ...(payouts && {
        payoutUrl: `${counter.url}/Customer.asmx`,
        loginAccount: payouts.loginAccount,
        payoutKey1: payouts.key1,
        payoutKey2: payouts.key2,
      }),
    } as Record<string, string>,
    payoutCalls: () => payoutCalls,
    refuseStarts(message: string | null): void {
      refuses = message !== null
    },
    /** Sets the address for payout webhook events, as their back office does. */
    notifyAt(url: string): void {
      webhookUrl = url
    },
    mend(): void {
      counter.mend()
      refuses = false
    },
  }
}
