import { z } from 'zod'
import {
  type Acknowledgement,
  defineProvider,
  type NotificationReading,
  type OrderToAsk,
  PaymentProblem,
  type PayoutState,
  type RawNotification,
  type Reported,
} from '../contract.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { type Answered, callZota } from './client.ts'
import { depositBody, type Endpoint, isSigned, payoutBody, reportOf, statusQuery, textOf } from './translate.ts'

/** The type that pays out; all others take deposits. */
const payoutType = 'sd_payout'
const line = /^(local_cards|cup|alipay|wechat|mobile|sd_payout)\s+([A-Z]{3})\s+(\d{1,20})$/

/** Zota: the member pays on a page of theirs, which their answer names. */
export const zotapay = defineProvider({
  name: 'Zota',
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'As Zota wrote it to you.' }),
    secretKey: secretSetting({ label: 'Merchant secret key', help: 'Signs every call and proves every notification.' }),
    endpoints: {
      label: 'Endpoints',
      help: 'One a line: type, currency, number. For example: local_cards USD 402334. Types: local_cards, cup, alipay, wechat, mobile, sd_payout.',
      isLong: true,
      schema: z
        .string()
        .max(4_000)
        .transform((text) =>
          text
            .split('\n')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
        )
        .refine((lines) => lines.length > 0 && lines.every((each) => line.test(each)), {
          error: 'Enter type, currency and number on each line.',
        })
        .transform((lines) => lines.map(endpointOf)),
    },
    baseUrl: addressSetting(
      { label: 'Address', help: 'https://api.zotapay-sandbox.com for tests.' },
      'https://api.zotapay.com',
    ),
    pageHosts: pageHostsSetting('*.zotapay.com'),
    acknowledgement: {
      label: 'Answer to notifications',
      help: 'The body that Zota expects.',
      usual: 'OK',
      schema: z.string().max(100),
    },
  },
  connect({ merchantId, secretKey, endpoints, baseUrl, pageHosts, acknowledgement }, http) {
    const found = (currency: string, isPayout: boolean): Endpoint => {
      const endpoint = endpoints.find((each) => each.currency === currency && (each.method === payoutType) === isPayout)
      if (!endpoint) throw new PaymentProblem('misconfigured', `no endpoint for ${currency}`)
      return endpoint
    }
    const post = (path: string, body: object) =>
      callZota(http, { method: 'POST', url: `${baseUrl}${path}`, body: JSON.stringify(body) })
    const ask = async ({ attempt, reference, at }: OrderToAsk): Promise<Reported | null> => {
      const query = statusQuery({ merchantId, attempt, reference: reference ?? '', at, secret: secretKey })
      const url = `${baseUrl}/api/v1/query/order-status/?${query}`
      const answer = await notFoundIsNull(callZota(http, { method: 'GET', url }))
      if (!answer) return null
      const report = reportOf(answer)
      // An answer about another order is no answer about ours.
      if (report.attempt !== attempt) throw new PaymentProblem('unknown', 'an answer about another order')
      return report
    }
    return {
      pageOrigins: originsOf(baseUrl, pageHosts),
      async start(order) {
        const endpoint = found(order.currency, false)
        const body = depositBody(order, endpoint, secretKey)
        const { depositUrl, orderID } = await post(`/api/v1/deposit/request/${endpoint.id}/`, body)
        if (typeof depositUrl !== 'string') throw new PaymentProblem('unknown', 'no payment page in the answer')
        return { handOff: { kind: 'redirect', url: depositUrl }, reference: textOf(orderID) || null }
      },
      readNotification: (raw) => read(raw, { secretKey, endpoints, acknowledgement }),
      readStatus: ask,
      async test() {
        await ask({ attempt: `connection-test-${Date.now()}`, reference: null, at: new Date() })
      },
      async payOut(payout) {
        const endpoint = found(payout.currency, true)
        const body = payoutBody(payout, endpoint, secretKey)
        const { orderID } = await post(`/api/v1/payout/request/${endpoint.id}/`, body)
        return { state: 'pending', reference: textOf(orderID) || null }
      },
      async readPayout(payout): Promise<PayoutState> {
        const report = await ask(payout)
        const state = { paid: 'paid', declined: 'declined', pending: 'pending' } as const
        const known = report && report.state in state ? state[report.state as keyof typeof state] : 'unknown'
        return { state: known, reference: report?.reference ?? null }
      },
    }
  },
})

function endpointOf(text: string): Endpoint {
  const [, method = '', currency = '', id = ''] = line.exec(text) ?? []
  return { method, currency, id }
}

async function notFoundIsNull(asked: Promise<Answered>): Promise<Answered | null> {
  try {
    return await asked
  } catch (problem) {
    if (problem instanceof PaymentProblem && problem.detail.startsWith('404')) return null
    throw problem
  }
}

type Reader = { secretKey: string; endpoints: readonly Endpoint[]; acknowledgement: string }

function read({ method, body }: RawNotification, reader: Reader): NotificationReading {
  const refused = (why: Extract<NotificationReading, { isGenuine: false }>['why']) =>
    ({ isGenuine: false, why, answer: textAnswer(why === 'unreadable' ? 400 : 401, 'REFUSED') }) as const
  const message = method === 'POST' ? parse(body) : null
  if (!message) return refused('unreadable')
  if (message.signature === undefined) return refused('unsigned')
  if (!isSigned(message, reader.secretKey)) return refused('wrong_signature')
  // Verified with the endpoint as it came; now it must be one of ours.
  if (!reader.endpoints.some(({ id }) => id === textOf(message.endpointID))) return refused('another_merchant')
  return { isGenuine: true, reported: reportOf(message), answer: textAnswer(200, reader.acknowledgement) }
}

const textAnswer = (status: number, body: string): Acknowledgement => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
})

function parse(body: Buffer): Answered | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answered) : null
  } catch {
    return null
  }
}
