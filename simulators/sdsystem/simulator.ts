import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type Message, openCounter, type Twist } from '../payments/counter.ts'
import type { Answer, Exchange, SimulatedOrder } from '../payments/desk.ts'

/** SDPay's page in yuan: opens what is posted, shows the order, and tells of it sealed, until it is answered in its words. */
export type SdsystemOptions = { port?: number; merchantId: string; key1: string; key2: string; md5Key: string }

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')
const words = { open: '', paid: '1', declined: '2', pending: '9' }
const written = (text: string): string =>
  text.replaceAll('&amp;', '\u0000').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\u0000', '&')
const elementIn = (xml: string, name: string): string =>
  written(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '')

export async function startSdsystemSimulator({ port = 0, merchantId, key1, key2, md5Key }: SdsystemOptions) {
  const [eight, start] = [Buffer.from(key1, 'base64'), Buffer.from(key2, 'base64')]
  const key = Buffer.concat([eight, eight, eight])

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

  /** Sealed with the right keys always; a wrong secret is one inside. */
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

  function messageOf(order: SimulatedOrder, twist: Twist): Message {
    const currency = twist.currency ?? order.currency
    const said: [string, string][] = [
      ['cmd', '6007'],
      ['merchantid', twist.merchantId ?? merchantId],
      ['order', twist.attempt ?? order.attempt],
      ['username', order.more.username ?? ''],
      ['money', twist.amount ?? order.amount],
      ['unit', currency === 'CNY' ? '1' : '2'],
      ['time', '2024-07-01 11:05:33'],
      ['call', 'server'],
      ['result', twist.status ?? order.state],
      ['remark', 'Deposit'],
    ]
    const content = said.map(([name, text]) => `<${name}>${text}</${name}>`).join('')
    // Some of their documents begin without the blank.
    const res = wrap(`<?xml version="1.0" encoding="utf-8"?><message>${content}</message>`, twist.secretKey ?? md5Key)
    const type = 'application/x-www-form-urlencoded'
    return { type, body: new URLSearchParams({ pid: merchantId, res }).toString() }
  }

  const serve = ({ method, path, body }: Exchange): Answer | null =>
    method === 'POST' && path === '/ToService.aspx' ? pay(body) : null

  const counter = await openCounter({
    title: 'SD System',
    port,
    words,
    isCall: () => false,
    serve,
    messageOf,
    returnOf: (order) => ({ location: order.returnUrl }),
  })
  return { ...counter, settings: { merchantId, key1, key2, md5Key, payUrl: `${counter.url}/ToService.aspx` } }
}
