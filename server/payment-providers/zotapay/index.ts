import { z } from 'zod'
import { defineProvider, type OrderToAsk, PaymentProblem, type RawWebhookEvent } from '../contract.ts'
import type { Coverage, SignatureReading } from '../coverage.ts'
import { cut, readObject, refused, textAnswer } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import type { StatusReport } from '../status-report.ts'
import { type Answered, callZota } from './client.ts'
import {
  depositBody,
  type Endpoint,
  hasShape,
  isSigned,
  payoutBody,
  payoutType,
  reportOf,
  statusQuery,
  textOf,
  wayNames,
} from './translate.ts'

const types = [...Object.keys(wayNames), payoutType]
const line = new RegExp(String.raw`^(${types.join('|')})\s+([A-Z]{3})\s+(\d{1,20})$`)

/** Zota: the member pays on the page named in their answer. */
export const zotapay = defineProvider({
  name: 'Zota',
  payWith: 'card',
  pendingDays: 3,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'As Zota sent it to you.' }),
    secretKey: secretSetting({
      label: 'Merchant secret key',
      help: 'Signs calls and verifies webhook events.',
    }),
    endpoints: {
      label: 'Endpoints',
      help: 'One per line: type, currency, number. For example: local_cards USD 402334. Types: local_cards, cup, alipay, wechat, mobile, and sd_payout for payouts. If a currency has several, members choose.',
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
        .transform((lines) => lines.map(endpointOf))
        .refine((endpoints) => new Set(endpoints.map(placeOf)).size === endpoints.length, {
          error: 'Enter each type once for a currency.',
        }),
    },
    baseUrl: addressSetting(
      { label: 'API address', help: 'https://api.zotapay-sandbox.com for tests.' },
      'https://api.zotapay.com',
    ),
    pageHosts: pageHostsSetting('*.zotapay.com'),
    acknowledgement: {
      label: 'Response to webhook events',
      help: 'The body that Zota expects.',
      usual: 'OK',
      schema: z.string().max(100),
    },
  },
  payout: { to: 'bank_account', needs: ['account', 'holder', 'phone', 'country'] },
  connect({ merchantId, secretKey, endpoints, baseUrl, pageHosts, acknowledgement }, http) {
    const taking = (currency: string): Endpoint[] =>
      endpoints.filter((each) => each.currency === currency && each.method !== payoutType)
    const paying = (currency: string): Endpoint | undefined =>
      endpoints.find((each) => each.currency === currency && each.method === payoutType)
    const post = (path: string, body: object) =>
      callZota(http, { method: 'POST', url: `${baseUrl}${path}`, body: JSON.stringify(body) })
    const ask = async ({ attempt, reference, hint, at }: OrderToAsk): Promise<StatusReport | null> => {
      for (const number of new Set([reference ?? hint ?? '', reference ?? ''])) {
        const query = statusQuery({ merchantId, attempt, reference: number, at, secret: secretKey })
        const url = `${baseUrl}/api/v1/query/order-status/?${query}`
        const answer = await notFoundIsNull(callZota(http, { method: 'GET', url }))
        if (answer) return reportOf(answer, isPayout(answer, endpoints))
      }
      return null
    }
    return {
      pageOrigins: originsOf(baseUrl, pageHosts),
      async start(order) {
        const fitting = taking(order.currency)
        const endpoint = there(order.way ? fitting.find(({ method }) => method === order.way) : fitting[0], order)
        const body = depositBody(order, endpoint, secretKey)
        const { depositUrl, orderID } = await post(`/api/v1/deposit/request/${endpoint.id}/`, body)
        if (typeof depositUrl !== 'string') throw new PaymentProblem('unknown', 'no payment page in the answer')
        return { redirect: { kind: 'redirect', url: depositUrl }, reference: textOf(orderID) || null }
      },
      listWays: (currency) =>
        taking(currency).map(({ method }) => ({ code: method, name: wayNames[method] ?? method })),
      takesIn: (currency) => taking(currency).length > 0,
      proves: { deposit: covered, payout: covered },
      readMessage: (raw) => read(raw, { secretKey, endpoints, acknowledgement }),
      readStatus: ask,
      async test() {
        await ask({ attempt: `connection-test-${Date.now()}`, reference: null, at: new Date() })
      },
      async payOut(payout) {
        const endpoint = there(paying(payout.currency), payout)
        const body = payoutBody(payout, endpoint, secretKey)
        const { orderID, payoutUrl } = await post(`/api/v1/payout/request/${endpoint.id}/`, body)
        const page = cut(textOf(payoutUrl) ?? '', 500)
        return { state: 'pending', reference: textOf(orderID) || null, ...(page ? { page } : {}) }
      },
      paysOutIn: (currency) => paying(currency) !== undefined,
      readPayout: ask,
    }
  },
})

/** Each method has one endpoint per currency. */
const placeOf = ({ method, currency }: Endpoint): string => `${method} ${currency}`

function there(endpoint: Endpoint | undefined, { currency }: { currency: string }): Endpoint {
  if (!endpoint) throw new PaymentProblem('misconfigured', `no endpoint for ${currency}`)
  return endpoint
}

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

/**
 * The currency is unsigned, and the signed values are joined without a separator: the amount is followed by the
 * member's own email, and the endpoint by their order id.
 */
const covered: Coverage = {
  order: 'signed',
  amount: 'unsigned',
  currency: 'unsigned',
  kind: 'unsigned',
  reference: 'unsigned',
}

type Reader = { secretKey: string; endpoints: readonly Endpoint[]; acknowledgement: string }

function read({ method, body }: RawWebhookEvent, reader: Reader): SignatureReading {
  const message = method === 'POST' ? readObject(body.toString('utf8')) : null
  if (!message) return refused('unreadable')
  if (message.signature === undefined) return refused('unsigned')
  if (!hasShape(message)) return refused('unreadable')
  if (!isSigned(message, reader.secretKey)) return refused('wrong_signature')
  // Verified with the received endpoint, which must be one of ours.
  if (!reader.endpoints.some(({ id }) => id === textOf(message.endpointID))) return refused('another_merchant')
  const reported = reportOf(message, isPayout(message, reader.endpoints))
  return { signed: reported, answer: textAnswer(200, reader.acknowledgement) }
}

/** Their `type` is unsigned; the endpoint is signed, and each one either receives or pays. */
const isPayout = ({ endpointID }: Answered, endpoints: readonly Endpoint[]): boolean =>
  endpoints.some(({ id, method }) => method === payoutType && id === textOf(endpointID))
